"""`%import`, `%override` and `%extend`: a draft with definitions of other files → one draft.

Files are found as lark finds them: `%import .other.rule` next to the importing file,
`%import other.RULE` there too, or else among the grammars that come with lark (`common`, `python`,
`unicode`, `lark`). What an imported definition uses comes with it, under a name that begins with
its file's: `common__DIGIT`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

from grammax.errors import GrammarError, Location, Problem
from grammax.grammar.check import references
from grammax.grammar.draft import Change, Definition, Draft, Import, KindDefinition
from grammax.grammar.expressions import Choice, Concatenation, Expression, Reference, Repeat
from grammax.text import did_you_mean, nearest

Read = Callable[[str, str], Draft]
Defined = dict[str, Definition | KindDefinition]


def resolve(draft: Draft, read: Read, importing: tuple[str, ...] = ()) -> Draft:
    """The draft without imports and changes; `read` turns the text of a file into a draft."""
    if not draft.imports and not draft.changes:
        return draft
    defined: Defined = {}
    given: list[Definition | KindDefinition] = [*draft.rules, *draft.kinds]
    for statement in draft.imports:
        for definition in _imported(statement, draft.file, read, importing):
            defined.setdefault(definition.name, definition)
    own = {definition.name for definition in given}
    together: list[Definition | KindDefinition] = [
        *given,
        *(definition for name, definition in defined.items() if name not in own),
    ]
    for change in draft.changes:
        together = _changed(together, change)
    return Draft(
        tuple(one for one in together if isinstance(one, Definition)),
        tuple(one for one in together if isinstance(one, KindDefinition)),
        draft.ignored,
        draft.file,
    )


def _imported(
    statement: Import, file: str, read: Read, importing: tuple[str, ...]
) -> Iterable[Definition | KindDefinition]:
    where = statement.location
    source, text = _find(statement, file)
    if source in importing:
        chain = " → ".join((*importing, source))
        raise _error("import-cycle", f"{source} imports itself", f"The files are {chain}.", where)
    draft = resolve(read(text, source), read, (*importing, source))
    definitions: list[Definition | KindDefinition] = [*draft.kinds, *draft.rules]
    defined: Defined = {one.name: one for one in definitions}
    for name in statement.names:
        if name not in defined:
            hint = did_you_mean(nearest(name, tuple(defined)), sentence=True)
            raise _error("no-import", f"{source} does not define {name}", hint, where)
    prefix = "__".join(statement.path)
    names = {name: _mangled(prefix, name) for name in defined} | dict(statement.names)
    waiting, taken = list(statement.names), set(statement.names)
    for name in waiting:
        definition = defined[name]
        if name in statement.names:
            yield replace(_renamed(definition, names), location=where)
        else:
            yield _renamed(definition, names)
        for use in references(definition.expression or Concatenation()):
            if use.name in defined and use.name not in taken:
                taken.add(use.name)
                waiting.append(use.name)


def _find(statement: Import, file: str) -> tuple[str, str]:
    """The name and text of the file that an import means."""
    relative = Path(*statement.path).with_suffix(".lark")
    path = Path(file).parent / relative
    if path.is_file():
        return str(path), path.read_text(encoding="utf-8-sig")
    bundled = files("lark.grammars").joinpath(str(relative))
    if not statement.relative and bundled.is_file():
        return f"lark/{relative}", bundled.read_text(encoding="utf-8")
    raise _error(
        "no-import",
        f"there is no file {path} to import from",
        "Imports are looked for next to the file, and then among lark's own: common, unicode, "
        "python, lark.",
        statement.location,
    )


def _mangled(prefix: str, name: str) -> str:
    """The name of a definition that comes along: upper case for a kind, as kinds have."""
    if name.strip("_").isupper():
        return f"{prefix.upper()}__{name}"
    return f"{prefix}__{name}"


def _renamed(
    definition: Definition | KindDefinition, names: Mapping[str, str]
) -> Definition | KindDefinition:
    if isinstance(definition, KindDefinition):
        inner = definition.expression and _with_names(definition.expression, names)
        return replace(definition, name=names[definition.name], expression=inner)
    local = {name: new for name, new in names.items() if name not in definition.parameters}
    inner = _with_names(definition.expression, local)
    return replace(definition, name=names[definition.name], expression=inner)


def _with_names(expression: Expression, names: Mapping[str, str]) -> Expression:
    match expression:
        case Reference(name, location, arguments):
            inner = tuple(_with_names(argument, names) for argument in arguments)
            return Reference(names.get(name, name), location, inner)
        case Concatenation(parts):
            return Concatenation(tuple(_with_names(part, names) for part in parts))
        case Choice(options):
            return Choice(tuple(_with_names(option, names) for option in options))
        case Repeat(part, least, most):
            return Repeat(_with_names(part, names), least, most)
        case _:
            return expression


def _changed(
    definitions: list[Definition | KindDefinition], change: Change
) -> list[Definition | KindDefinition]:
    new = change.definition
    places = [place for place, one in enumerate(definitions) if one.name == new.name]
    if not places:
        verb = "extended" if change.extends else "overridden"
        raise _error(
            "nothing-to-change",
            f"{new.name} cannot be {verb}: it is not defined",
            "Import it first, or define it without %override and %extend.",
            new.location,
        )
    old = definitions[places[0]]
    result = list(definitions)
    result[places[0]] = new
    if change.extends and old.expression is not None and new.expression is not None:
        result[places[0]] = replace(new, expression=Choice((old.expression, new.expression)))
    return result


def _error(code: str, message: str, hint: str, location: Location) -> GrammarError:
    return GrammarError(Problem(code, message, hint, location))
