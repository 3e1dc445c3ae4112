"""The drawings of `docs/how-it-works.md`: permitted rows step by step, and the ways to score them.

python scripts/draw_explanation.py

Writes SVG to `docs/how-it-works/`, from `examples/equity.lark` and its automaton.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby
from pathlib import Path

import grammax

REPOSITORY = Path(__file__).resolve().parents[1]
FOLDER = REPOSITORY / "docs" / "how-it-works"
SENTENCE = "( AND ( FLD_DOMICILE EQ COU_GERMANY ) ( FLD_MKT_CAP GR 1 BILLION ) )"

BACKGROUND, ROW, PERMITTED, CHOSEN, INK, PALE = (
    "#ffffff", "#e6e8ee", "#7aa7e8", "#123f8c", "#1c1f26", "#626a7a",
)  # fmt: skip
HEIGHT = 5.0  # of a row
GROUPS = {  # neighbouring kinds under one name, where their rows are too few for a label each
    "DIGIT": "digits", "MONEY_FIELD": "fields", "RATIO_FIELD": "fields", "RATING_FIELD": "fields",
    "COUNTRY_FIELD": "fields", '"FLD_EQS_SECTOR"': "fields", '"FLD_INDEX"': "fields",
    '"NOT"': "NOT AND OR", '"AND"': "NOT AND OR", '"OR"': "NOT AND OR", "COUNTRY": "countries",
    "RATING": "ratings", "SECTOR": "sectors", "INDEX": "indices", "DENOMINATION": "denominations",
    "COMPARISON": "operators", "EQUALITY": "operators", "CURRENCY": "currencies",
}  # fmt: skip


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, drawing in drawings().items():
        (FOLDER / name).write_text(drawing, encoding="utf-8")


def drawings() -> dict[str, str]:
    """Each drawing by the name of its file."""
    return {"spans.svg": draw_spans(), "heads.svg": draw_heads()}


def draw_spans() -> str:
    """The output layer at each step of a sentence: its rows, the permitted ones, the chosen one."""
    automaton = grammax.lr(grammax.Grammar.open(REPOSITORY / "examples" / "equity.lark"))
    vocabulary, tokens = automaton.vocabulary, SENTENCE.split()
    left, top, step, width = 120.0, 96.0, 52.0, 30.0
    bottom = top + HEIGHT * len(vocabulary)
    shapes: list[str] = []
    for label, first, last in _groups(vocabulary):
        middle = top + HEIGHT * (first + last) / 2
        shapes += [
            _line(left - 10, top + HEIGHT * first + 0.5, left - 10, top + HEIGHT * last - 0.5),
            _text(left - 16, middle + 4, label, anchor="end", colour=PALE),
        ]
    state, multiplied = automaton.start, 0
    for number, token in enumerate(tokens):
        x = left + step * number
        permitted = automaton.next_tokens(state)
        size = permitted.size if permitted.size > 1 else 0
        multiplied += size
        shapes.append(_bar(x, top, width, HEIGHT * len(vocabulary), ROW))
        for first, last in permitted.spans:
            shapes.append(_bar(x, top + HEIGHT * first, width, HEIGHT * (last - first), PERMITTED))
        row = vocabulary.id(token)
        shapes.append(_bar(x, top + HEIGHT * row, width, HEIGHT, CHOSEN))
        label = f'transform="rotate(-45 {x + 12:g} {top - 8:g})"'
        shapes.append(_text(x + 12, top - 8, token, extra=label))
        shapes.append(_text(x + width / 2, bottom + 18, str(size), anchor="middle"))
        state = automaton.pass_token(state, token)
    whole = len(tokens) * len(vocabulary)
    shapes.append(_text(left - 16, bottom + 18, "rows multiplied", anchor="end", colour=PALE))
    said = f"{multiplied} of {whole} rows in {len(tokens)} steps; a forced token needs none"
    shapes.append(_text(left, bottom + 42, said))
    return _drawing(
        left + step * len(tokens) + 40, bottom + 56, "Permitted rows, step by step", shapes
    )


def _groups(vocabulary: grammax.Vocabulary) -> Iterable[tuple[str, int, int]]:
    """Names of neighbouring rows, with the first row and the one after the last."""
    kinds = [vocabulary.kinds[number] for number in vocabulary.kinds_by_id]
    named = ((row, GROUPS.get(kind)) for row, kind in enumerate(kinds))
    for label, rows in groupby(named, key=lambda pair: pair[1]):
        numbers = [row for row, _ in rows]
        if label is not None:
            yield label, numbers[0], numbers[-1] + 1


def draw_heads() -> str:
    """Four ways to score the permitted rows of one step, side by side."""
    rows, spans, height, width, top = 30, ((4, 6), (14, 19)), 8.0, 92.0, 58.0
    permitted = [row for first, last in spans for row in range(first, last)]
    ways = (
        ("all rows", "NSP", "multiplies all,", "permits all"),
        ("all, then a mask", "most engines", "multiplies all,", "discards most"),
        ("gathered rows", "NSP-G, NSP-GC", "copies the permitted,", "then multiplies them"),
        ("spans", "grammax", "multiplies the permitted,", "in place"),
    )
    shapes: list[str] = []
    for number, (title, by, first_line, second_line) in enumerate(ways):
        x, end = 30 + 200.0 * number, top + height * rows
        read = range(rows) if number < 2 else permitted
        shapes += [_text(x, top - 30, title, weight="bold"), _text(x, top - 12, by, colour=PALE)]
        for row in range(rows):
            colour = PERMITTED if row in read else ROW
            if number == 1 and row not in permitted:
                shapes.append(_bar(x, top + height * row, width, height - 1, PERMITTED))
                shapes.append(
                    _line(
                        x, top + height * (row + 0.45), x + width, top + height * (row + 0.45), INK
                    )
                )
                continue
            shapes.append(_bar(x, top + height * row, width, height - 1, colour))
        if number == 2:
            middle = top + height * (rows / 2 - len(permitted) / 2)
            for place, row in enumerate(permitted):
                y, to = top + height * (row + 0.45), middle + height * (place + 0.45)
                shapes.append(_line(x + width + 2, y, x + width + 34, to))
                shapes.append(_bar(x + width + 36, middle + height * place, 48, height - 1, CHOSEN))
        if number == 3:
            for first, last in spans:
                shapes.append(
                    _bar(x - 7, top + height * first, 3, height * (last - first) - 1, CHOSEN)
                )
        shapes += [_text(x, end + 18, first_line), _text(x, end + 36, second_line)]
    return _drawing(840, top + height * rows + 52, "Four ways to score the permitted rows", shapes)


def _bar(x: float, y: float, width: float, height: float, colour: str) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{colour}"/>'


def _line(x: float, y: float, to_x: float, to_y: float, colour: str = PALE) -> str:
    return f'<line x1="{x:g}" y1="{y:g}" x2="{to_x:g}" y2="{to_y:g}" stroke="{colour}"/>'


def _text(
    x: float,
    y: float,
    text: str,
    *,
    anchor: str = "start",
    colour: str = INK,
    weight: str = "normal",
    extra: str = "",
) -> str:
    where = f'x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="{colour}" font-weight="{weight}"'
    return f"<text {where} {extra}>{escape(text)}</text>".replace(" >", ">")


def _drawing(width: float, height: float, title: str, shapes: Sequence[str]) -> str:
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    font = 'font-family="Helvetica, Arial, sans-serif" font-size="12"'
    begin = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font} role="img">'
    whole = _bar(0, 0, width, height, BACKGROUND)
    return "\n".join([begin, f"<title>{escape(title)}</title>", whole, *shapes, "</svg>", ""])


if __name__ == "__main__":
    main()
