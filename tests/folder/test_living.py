"""Names of a folder that come and go without training, and tables that get longer and shorter."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import process_time
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import grammax
from grammax import NewValue, Parser
from grammax.errors import GrammaxError
from grammax.folder import FolderDomain, write_example
from grammax.folder.living.spelling import KindSpelling
from grammax.language.changes import ChangeNotice, Changes, ChangesRefused
from grammax.language.changes_table import read_table
from grammax.language.domain import Tokens
from grammax.tables.teach.offers import Offer, offers

OCHRE = NewValue("Ochre", "room", ("the ochre room", "basement"))
SATURDAY = NewValue("saturday", "DAY")
BIRCH = "room:birch\tROOM\tbirch|the birch room\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, not to be edited."""
    place = tmp_path_factory.mktemp("living") / "rooms"
    write_example(place)
    return place


@pytest.fixture(scope="module")
def domain(folder: Path) -> FolderDomain:
    return FolderDomain(folder)


@pytest.fixture(scope="module")
def trained(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example with a small model, not to be edited."""
    return trained_copy(folder, tmp_path_factory.mktemp("trained") / "rooms")


@pytest.fixture
def rooms(trained: Path, tmp_path: Path) -> Path:
    """A copy of the trained folder, to be edited."""
    return Path(shutil.copytree(trained, tmp_path / "rooms"))


def trained_copy(folder: Path, place: Path, rows: str = "composed", epochs: int = 25) -> Path:
    pytest.importorskip("torch", reason="a model is trained")
    from grammax.model.config import ModelConfig, TrainingConfig
    from grammax.training.checkpoint import save_checkpoint
    from grammax.training.trainer import Trainer

    shutil.copytree(folder, place)
    domain = FolderDomain(place)
    sizes = ModelConfig(words=24, encoder=24, tokens=24, hidden=80, spelling=48, rows=rows)  # type: ignore[arg-type]
    config = TrainingConfig(epochs=epochs, batch=16, learning_rate=0.01, held_out=0.0)
    trainer = Trainer(domain, sizes, replace(config, grammar=domain.exact))
    for _ in range(epochs):
        trainer.run()
    domain.model.parent.mkdir()
    save_checkpoint(domain.model, trainer, [], final=True)
    return place


def problems(change: Callable[[], object]) -> list[str]:
    """What is wrong with a change that is refused."""
    with pytest.raises(ChangesRefused) as refused:
        change()
    return [problem.message for problem in refused.value.problems]


def in_table(folder: Path, *rows: str, without: str = "") -> Path:
    """The folder, whose table of rooms has more rows, and lacks one."""
    table = folder / "rooms.tsv"
    text = table.read_text("utf-8")
    assert without in text
    table.write_text(text.replace(without, "") + "".join(f"{row}\n" for row in rows), "utf-8")
    return folder


def lf(parser: Parser, query: str) -> str:
    """The logical form of a query, however it is parsed."""
    found = parser.parse(query)
    assert [each.lf for each in parser.parse_batch([query])] == [found.lf]
    assert parser.parse(query, best=2).best[0].lf == found.lf
    return found.lf


# Laws

WORDS = st.text(st.characters(categories=["L", "Nd"]), min_size=1, max_size=6)
NAMES = st.lists(WORDS, min_size=1, max_size=3).map(" ".join).filter(lambda n: not n.isdecimal())
VALUES = st.lists(
    st.tuples(NAMES, st.sampled_from(["ROOM", "DAY", "room", "Day"])),
    max_size=8,
    unique_by=lambda value: value[0].casefold(),
)


@given(values=VALUES, data=st.data())
def test_values_are_permitted_exactly_where_their_kind_is(
    domain: FolderDomain, values: list[tuple[str, str]], data: st.DataObject
) -> None:
    made = domain
    for name, kind in values:
        with suppress(ChangesRefused):  # two names that are read as the same words
            made = made.with_values([NewValue(name, kind)])
    growing = [t for k in ("ROOM", "DAY") for t in made.vocabulary.tokens_of(k)]
    gone = data.draw(st.lists(st.sampled_from(growing), max_size=4, unique=True))
    made = made.without_values(gone)
    before, after = domain.vocabulary, made.vocabulary
    assert after.kinds == before.kinds
    for grammar in domain.grammars:
        old, new = domain.automaton(grammar), made.automaton(grammar)
        for pair in domain.pairs("test")[:5]:
            for length in range(len(pair.tokens)):
                state = old.read(pair.tokens[:length])  # the states of one serve the other
                kinds = {before.kind_of(token) for token in old.next_tokens(state).tokens}
                wanted = {t for kind in kinds for t in after.tokens_of(kind)}  # type: ignore[arg-type]
                assert set(new.next_tokens(state).tokens) == wanted
                assert not wanted & {*gone}
    again = domain.with_changes(made.changes)
    assert again.version == made.version
    for kind in after.kinds:
        assert sorted(again.vocabulary.tokens_of(kind)) == sorted(after.tokens_of(kind))
    assert all(again.wordings(token) == made.wordings(token) for token in growing if token in after)
    back = made.without_values([value.token for value in made.changes.added])
    removed = [(token, *domain.wordings(token)) for token in back.changes.removed]
    kinds = {token: before.kinds[before.kind_of(token) or 0] for token, *_ in removed}
    restored = back.with_values(
        [NewValue(name, kinds[token], (*more,), token) for token, name, *more in removed]
    )
    assert restored is domain
    assert restored.version == domain.version


def test_sentences_with_a_new_value_are_grammatical_and_with_a_removed_one_are_not(
    domain: FolderDomain,
) -> None:
    made = domain.with_values([OCHRE, SATURDAY]).without_values(["room:attic"])
    assert made.grammatical(made.read("( find ( and ( room room:ochre ) ( day saturday ) ) )"))
    assert not made.grammatical(made.read("( find ( room saturday ) )"))
    assert not made.grammatical(made.read("( find ( room room:attic ) )"))
    assert not domain.grammatical(domain.read("( find ( room room:ochre ) )"))
    assert list(made.wordings("room:ochre")) == ["Ochre", "the ochre room", "basement"]
    assert [entry.token for entry in made.search("basement", 5)] == ["room:ochre"]
    assert made.label("room:ochre") == "Ochre"
    assert domain.search("basement", 5) == []
    assert domain.search("attic", 5)
    assert made.search("attic", 5) == []


def test_what_training_pairs_use_is_removed_without_harm(domain: FolderDomain) -> None:
    made = domain.without_values(["room:attic"])
    assert made.pairs("train") == domain.pairs("train")
    using = [pair for pair in domain.pairs("train") if "room:attic" in pair.tokens]
    assert using
    assert not any(made.grammatical(pair.tokens) for pair in using)
    assert all(made.base.grammatical(pair.tokens) for pair in using)


def test_another_name_is_a_change_that_can_be_taken_back(domain: FolderDomain) -> None:
    named = domain.with_alias("room:attic", "loft")
    assert list(named.wordings("room:attic")) == ["attic", "the attic", "top floor", "loft"]
    assert named.vocabulary is domain.vocabulary
    assert named.version != domain.version
    assert named.with_alias("room:attic", "LOFT") is not domain
    assert named.with_alias("room:attic", "LOFT").version == named.version
    assert domain.with_changes(named.changes).version == named.version
    again = named.without_values(["room:attic"]).with_values(
        [NewValue("attic", "ROOM", ("the attic", "top floor"), "room:attic")]
    )
    assert again is domain
    assert (
        "is a name of room:amber already"
        in problems(lambda: domain.with_alias("room:attic", "the amber room"))[0]
    )
    assert "belongs to the syntax" in problems(lambda: domain.with_alias("find", "seek"))[0]
    assert "Did you mean room:attic?" in problems(lambda: domain.with_alias("room:atic", "x"))[0]


class Heard(NamedTuple):
    """A reading of "garret on friday"."""

    tokens: Tokens
    sources: tuple[tuple[int, ...], ...]
    uncovered: tuple[int, ...] = ()
    words: tuple[str, ...] = ("garret", "on", "friday")
    typos: tuple[tuple[int, str], ...] = ()


def test_a_correction_offers_the_word_that_was_not_understood(domain: FolderDomain) -> None:
    wanted = domain.read("( find ( and ( room room:attic ) ( day friday ) ) )")
    lost = domain.read("( find ( day friday ) )")
    left_out = Heard(lost, ((),) * len(lost), uncovered=(0,))
    sources = tuple((0,) if token == "room:attic" else () for token in wanted)
    other = tuple("room:amber" if token == "room:attic" else token for token in wanted)
    for heard in (left_out, Heard(other, sources)):
        assert offers(domain, heard, wanted) == [Offer("garret", "room:attic", "", "attic")]
    assert offers(domain, Heard(wanted, sources), wanted) == []
    both = Heard(domain.read("( find ( room room:attic ) )"), ((),) * 6, uncovered=(0,))
    assert offers(domain, both, wanted) == []  # the query has the name of the day


# Bad input


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (NewValue("", "ROOM"), "the name is empty. Give the name that people use."),
        (NewValue(" \t", "ROOM"), "the name is empty"),
        (NewValue("a\x00b", "ROOM"), "a character that cannot be printed"),
        (NewValue("a|b", "ROOM"), "has a bar or a character"),
        (NewValue("7", "ROOM"), "names nothing in a query"),
        (NewValue("x" * 201, "ROOM"), "has 201 characters; 200 at most"),
        (NewValue("amber", "ROOM"), "'amber' is a name of room:amber already"),
        (NewValue("The  AMBER room", "ROOM"), "is a name of room:amber already"),
        (NewValue("zoo", "ROOM", ("Amber",)), "'Amber' is a name of room:amber already"),
        (NewValue("zoo", "ROOM", ("",), "room:amber"), "the token room:amber exists already"),
        (NewValue("zoo", "ROOM", (), "friday"), "the token friday exists already"),
        (NewValue("zoo", "ROOM", (), "room zoo"), "'room zoo' cannot be a token"),
        (NewValue("zoo", "ROOM", "alias"), "not a list of texts"),  # type: ignore[arg-type]
        (NewValue("zoo", "ROOM", (3,)), "not a list of texts"),  # type: ignore[arg-type]
        (NewValue(3, "ROOM"), "the name is 3, not a text"),  # type: ignore[arg-type]
        (NewValue("zoo", "roms"), "there is no kind 'roms' for 'zoo'; did you mean ROOM?"),
        (NewValue("zoo", "planet"), "kinds that can grow are DAY, ROOM."),
        (NewValue("zoo", ""), "'zoo' has no kind; kinds that can grow are DAY, ROOM."),
        (NewValue("zoo", "find"), "'find' is the only token of its kind, so it belongs to"),
    ],
)  # fmt: skip
def test_what_cannot_be_added_is_refused(
    domain: FolderDomain, value: NewValue, message: str
) -> None:
    [found] = problems(lambda: domain.with_values([value]))
    assert message in found


def test_all_are_added_or_none_and_all_problems_are_told(domain: FolderDomain) -> None:
    values = [NewValue("zoo", "ROOM"), NewValue("Zoo", "ROOM"), NewValue("", "ROOM")]
    assert len(problems(lambda: domain.with_values(values))) == 2
    both = domain.with_values([NewValue("zoo", "ROOM"), NewValue("zoo", "DAY")])
    assert [value.token for value in both.changes.added] == ["room:zoo", "zoo"]
    signs = domain.with_values([NewValue("c+", "ROOM"), NewValue("c#", "ROOM")])
    assert [value.token for value in signs.changes.added] == ["room:c", "room:c_2"]


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        (["room:atic"], "there is no token 'room:atic'. Did you mean room:attic?"),
        (["find"], "belongs to the syntax of the grammar, which does not change."),
        (["friday", "friday"], "friday is given twice: it can be removed once."),
        (["monday", "tuesday", "wednesday", "thursday", "friday"], "friday is the last of DAY"),
    ],
)
def test_what_cannot_be_removed_is_refused(
    domain: FolderDomain, tokens: list[str], message: str
) -> None:
    [found] = problems(lambda: domain.without_values(tokens))
    assert message in found
    made = domain.without_values(["friday"])
    assert problems(lambda: made.without_values(["friday"])) == ["friday was removed already."]


def test_ten_thousand_values_at_once(domain: FolderDomain) -> None:
    values = [NewValue(f"hall number {number}", "room") for number in range(10_000)]
    begun = process_time()
    made = domain.with_values(values)
    assert process_time() - begun < 5  # it takes 0.3
    assert len(made.vocabulary) == len(domain.vocabulary) + 10_000
    assert made.grammatical(made.read("( find ( room room:hall_number_777 ) )"))
    assert made.without_values([value.token for value in made.changes.added]) is domain


# Tables and stored changes


def test_a_table_of_tokens_is_imported(domain: FolderDomain, tmp_path: Path) -> None:
    (tmp_path / "more.tsv").write_text(
        "token\tkind\taliases\nroom:ochre\tROOM\tochre|the ochre room\nroom:u2\tROOM\t\n"
    )
    made = read_table(tmp_path / "more.tsv").apply(domain.with_values)
    assert list(made.wordings("room:ochre")) == ["ochre", "the ochre room"]
    assert list(made.wordings("room:u2")) == ["room u2"]


def test_stored_changes_that_the_files_have_by_now_are_skipped(
    folder: Path, tmp_path: Path
) -> None:
    place = Path(shutil.copytree(folder, tmp_path / "rooms"))
    changes = FolderDomain(place).with_values([OCHRE, SATURDAY]).changes
    changes = changes.removing(["room:birch", "room:cedar"])
    in_table(place, "room:yellow\tROOM\tochre", without=BIRCH)
    with pytest.warns(ChangeNotice, match="2 of 4 changes are skipped, because the files of rooms"):
        made = FolderDomain(place).with_changes(changes)
    assert [value.token for value in made.changes.added] == ["saturday"]
    assert made.changes.removed == ("room:cedar",)
    unknown = Changes((NewValue("mars", "PLANET", (), "planet:mars"),))
    with pytest.warns(ChangeNotice, match="1 of 1 changes"):
        assert FolderDomain(place).with_changes(unknown).changes == Changes()


def test_a_kind_with_one_token_of_a_table_can_grow_and_one_of_the_grammar_cannot(
    folder: Path, tmp_path: Path
) -> None:
    place = Path(shutil.copytree(folder, tmp_path / "rooms"))
    (place / "rooms.tsv").write_text("token\tkind\taliases\nroom:attic\tROOM\tattic\n")
    made = FolderDomain(place).with_values([NewValue("Blue Room", "ROOM")])
    assert "room:blue_room" in made.vocabulary
    assert (
        "the last of ROOM"
        in problems(lambda: FolderDomain(place).without_values(["room:attic"]))[0]
    )


def test_kinds_that_share_tokens_grow_where_no_other_kind_does(tmp_path: Path) -> None:
    write_example(tmp_path / "places")
    (tmp_path / "places" / "grammar.lark").write_text(
        'query: "in" CITY | "near" PLACE\n%declare CITY PLACE\n'
    )
    (tmp_path / "places" / "rooms.tsv").write_text(
        "token\tkind\nparis\tCITY\noslo\tCITY\nparis\tPLACE\nalps\tPLACE\n"
    )
    domain = FolderDomain(tmp_path / "places")
    made = domain.with_values([NewValue("Rome", "city"), NewValue("Andes", "place")])
    assert made.grammatical(("in", "rome"))
    assert not made.grammatical(("near", "rome"))
    assert made.grammatical(("near", "andes"))
    shared = domain.with_values([NewValue("Rome", "CITY∩PLACE")])
    assert shared.grammatical(("in", "rome"))
    assert shared.grammatical(("near", "rome"))


@pytest.mark.parametrize(
    ("tokens", "token"),
    [
        (["new_york", "new_jersey", "ohio"], "the_blue_house"),
        (["en.team.lakers", "en.team.bulls"], "en.team.the_blue_house"),
        (["NewYork", "LosAngeles"], "TheBlueHouse"),
        (["film noir", "drama"], "the blue house"),
        (["Red-Room", "Green-Room"], "The-Blue-House"),
        ([":"], "the_blue_house"),
    ],
)
def test_a_token_is_spelt_as_others_of_its_kind(tokens: list[str], token: str) -> None:
    assert KindSpelling.from_tokens(tokens).token("the blue house") == token


# Models


def test_an_added_name_is_parsed_at_once_and_a_removed_one_never(trained: Path) -> None:
    parser = grammax.load(str(trained))
    wider = parser.with_values([OCHRE, SATURDAY])
    friday = "( find ( and ( room room:ochre ) ( day friday ) ) )"
    for query in ("ochre friday", "is the ochre room free on friday", "basement friday"):
        assert lf(wider, query) == friday
    assert lf(wider, "ochre saturday") == friday.replace("friday", "saturday")
    assert lf(wider, "amber friday") == lf(parser, "amber friday")
    named = wider.with_alias("room:ochre", "gold chamber")
    assert lf(named, "gold chamber friday") == friday
    narrower = named.without_values(["room:ochre"])
    assert "room:ochre" not in lf(narrower, "ochre friday")
    assert "room:attic" in lf(parser, "attic friday")
    without = parser.without_values(["room:attic"])
    assert "room:attic" not in {
        t for each in without.parse("attic friday", 5).best for t in each.tokens
    }
    back = narrower.without_values(["saturday"])
    assert back.domain is parser.domain
    assert lf(back, "amber friday") == lf(parser, "amber friday")


def test_a_new_name_is_not_taken_for_a_typo_of_an_old_one(trained: Path) -> None:
    parser = grammax.load(str(trained))
    assert parser.parse("ambre friday").typos == ((0, "ambre"),)
    wider = parser.with_values([NewValue("Ambre", "room")])
    assert wider.parse("ambre friday").typos == ()
    assert lf(wider, "ambre friday") == "( find ( and ( room room:ambre ) ( day friday ) ) )"
    assert lf(parser, "ambre friday") == "( find ( and ( room room:amber ) ( day friday ) ) )"


def test_a_longer_table_needs_no_training(rooms: Path) -> None:
    rows = [f"room:n{n}\tROOM\tnumber {n}" for n in range(100, 130)]
    in_table(rooms, *rows, "room:ochre\tROOM\tochre|the ochre room")
    parser = grammax.load(str(rooms))
    assert lf(parser, "ochre friday") == "( find ( and ( room room:ochre ) ( day friday ) ) )"
    assert lf(parser, "amber friday") == "( find ( and ( room room:amber ) ( day friday ) ) )"
    assert_torch_agrees(parser, rooms)


def test_a_shorter_table_needs_no_training_and_what_is_gone_is_not_predicted(rooms: Path) -> None:
    in_table(rooms, "room:ochre\tROOM\tochre", without=BIRCH)
    parser = grammax.load(str(rooms))
    assert "room:birch" not in parser.domain.vocabulary
    for query in ("ochre friday", "attic friday", "cedar friday"):
        name = query.split()[0]
        assert lf(parser, query) == f"( find ( and ( room room:{name} ) ( day friday ) ) )"
    assert "room:birch" not in lf(parser, "birch friday")
    assert_torch_agrees(parser, rooms)
    again = parser.with_values([NewValue("birch", "ROOM", ("the birch room",))])
    assert lf(again, "birch friday") == "( find ( and ( room room:birch ) ( day friday ) ) )"


def assert_torch_agrees(parser: Parser, folder: Path) -> None:
    """The runtime chooses what the network in PyTorch chooses."""
    from grammax.model.checkpoint import load_network
    from grammax.model.parser import TorchParser

    domain = FolderDomain(folder)
    torch_parser = TorchParser.for_domain(load_network(domain.model, domain), domain)
    queries = ["ochre friday", "amber but not friday", "is the attic free on monday", "top floor"]
    found = [parsed.tokens for parsed in parser.parse_batch(queries)]
    assert [decoded.tokens for decoded in torch_parser.parse_batch(queries)] == found


def test_other_names_in_a_table_are_used_and_no_stale_cache(rooms: Path) -> None:
    wanted = "( find ( and ( room room:birch ) ( day friday ) ) )"
    before = grammax.load(str(rooms))
    table = rooms / "rooms.tsv"
    table.write_text(table.read_text("utf-8").replace("the birch room", "gold chamber"), "utf-8")
    after = grammax.load(str(rooms))
    assert after.domain.version == before.domain.version
    assert lf(after, "gold chamber friday") == wanted
    assert lf(before, "gold chamber friday") != wanted


def test_learnt_rows_fit_one_vocabulary_only(folder: Path, tmp_path: Path) -> None:
    place = trained_copy(folder, tmp_path / "rooms", rows="learnt", epochs=1)
    parser = grammax.load(str(place))
    with pytest.raises(GrammaxError, match="has learnt a row for each token"):
        parser.with_values([OCHRE])
    in_table(place, "room:ochre\tROOM\tochre")
    with pytest.raises(GrammaxError, match=r'Train again, or with rows = "composed"'):
        grammax.load(str(place))


def test_another_grammar_needs_a_training(rooms: Path) -> None:
    grammar = rooms / "grammar.lark"
    text = grammar.read_text("utf-8")
    grammar.write_text(text.replace('"friday"', '"friday" | "sunday"'))
    assert grammax.load(str(rooms)).domain.grammatical(
        ("(", "find", "(", "day", "sunday", ")", ")")
    )
    for old, new in (('"find"', '"seek"'), ("room: ", 'room: "(" ROOM ")" | '), ("DAY", "DAYS")):
        grammar.write_text(text.replace(old, new))
        with pytest.raises(GrammaxError, match=r"its rows mean other tokens\. Train again"):
            grammax.load(str(rooms))


def test_a_model_of_an_earlier_release_fits_the_tables_that_it_was_trained_with(
    rooms: Path,
) -> None:
    from safetensors import safe_open
    from safetensors.numpy import save_file

    model = FolderDomain(rooms).model
    with safe_open(model, "np") as file:
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        header = json.loads(file.metadata()["grammax"])
    del header["grammar"]
    save_file(tensors, model, {"grammax": json.dumps(header)})
    parser = grammax.load(str(rooms))
    assert lf(parser.with_values([OCHRE]), "ochre friday").startswith("( find ( and ( room room:o")
    in_table(rooms, "room:ochre\tROOM\tochre")
    with pytest.raises(GrammaxError, match="its rows mean other tokens"):
        grammax.load(str(rooms))
