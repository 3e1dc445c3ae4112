"""Errors and warnings about a grammar, each with its location and a hint."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from grammax.errors import Location, Problem
from grammax.grammar.draft import Definition, Draft, KindDefinition
from grammax.grammar.expand import Rule
from grammax.grammar.expressions import Choice, Concatenation, Expression, Reference, Repeat
from grammax.text import did_you_mean, nearest

_HINTED = 20


def choose_start(draft: Draft, wanted: str | None) -> tuple[str, list[Problem]]:
    """The rule with which sentences begin: the one asked for, else `start`, else the first."""
    names = [rule.name for rule in draft.rules if not rule.parameters]
    if not names:
        hint = 'Write at least one rule, such as `start: "hello" NAME`.'
        problem = Problem("empty-grammar", "the grammar has no rules", hint, Location(draft.file))
        return "", [problem]
    name = wanted or ("start" if "start" in names else names[0])
    if name in names:
        return name, []
    hint = _did_you_mean(name, names) or f"The rules are {', '.join(names[:8])}."
    return name, [Problem("no-start", f"there is no rule {name}", hint, Location(draft.file))]


def check_names(draft: Draft, given: Collection[str]) -> list[Problem]:
    """Names that are defined twice, not at all, or as a rule and a kind."""
    problems: list[Problem] = []
    seen: dict[str, Location] = {}
    definitions: list[Definition | KindDefinition] = [*draft.rules, *draft.kinds]
    for definition in definitions:
        if definition.name in seen:
            problems.append(
                Problem(
                    "defined-twice",
                    f"{definition.name} is defined twice, first at {seen[definition.name]}",
                    "Join the two with `|`, or rename one.",
                    definition.location,
                )
            )
        seen.setdefault(definition.name, definition.location)
    known = [*seen, *given]
    for definition in definitions:
        local = definition.parameters if isinstance(definition, Definition) else ()
        for reference in references(definition.expression or Concatenation()):
            name = reference.name
            if not (name in seen or name in given or name in local):
                # The search for similar names is slow, so only the problems shown get one.
                near = known if len(problems) < _HINTED else ()
                problems.append(_undefined(reference, definition, near))
    return problems


def _undefined(
    reference: Reference, definition: Definition | KindDefinition, known: Sequence[str]
) -> Problem:
    name = reference.name
    what = "kind" if name.strip("_").isupper() else "rule"
    fallback = (
        f'Spell its tokens out, `{name}: "A" | "B"`, or write `%declare {name}` and give them in '
        f"a table or from code."
        if what == "kind"
        else f"Add a rule `{name}: ...`, or quote it if it is a token."
    )
    hint = _did_you_mean(name, known) or fallback
    message = f"the {what} {name} is used in {definition.name} but not defined"
    return Problem("undefined", message, hint, reference.location)


def references(expression: Expression) -> Iterator[Reference]:
    """Every use of a name in an expression."""
    waiting: list[Expression] = [expression]
    while waiting:
        match waiting.pop():
            case Reference(_, _, arguments) as reference:
                yield reference
                waiting.extend(reversed(arguments))
            case Concatenation(parts) | Choice(parts):
                waiting.extend(reversed(parts))
            case Repeat(part):
                waiting.append(part)


def check_rules(
    draft: Draft, rules: Sequence[Rule], kinds: Mapping[str, object], start: str
) -> list[Problem]:
    """Rules that produce nothing, and rules and kinds that no sentence can use."""
    by_name: dict[str, list[Rule]] = {}
    for rule in rules:
        by_name.setdefault(rule.name, []).append(rule)
    solid = productive(rules, kinds)
    reached = reachable(by_name, start)
    used = {r.name for d in draft.rules for r in references(d.expression) if r.name != d.name}
    problems: list[Problem] = []
    for definition in draft.rules:
        name = definition.name
        if definition.parameters:
            if name not in used:
                problems.append(_unused(definition, "template"))
        elif name not in solid:
            problems.append(_produces_nothing(definition, by_name.get(name, []), solid))
        elif name not in reached:
            if name not in used:
                problems.append(_unused(definition, "rule"))
            else:
                message = f"the rule {name} is used only by rules that {start} never reaches"
                hint = f"Use it, or the rules that use it, somewhere below {start}."
                problems.append(
                    Problem("unreachable", message, hint, definition.location, "warning")
                )
    in_kinds = {r.name for k in draft.kinds if k.expression for r in references(k.expression)}
    for kind in draft.kinds:
        if kind.name not in reached and kind.name not in in_kinds | set(draft.ignored):
            message = f"the kind {kind.name} is unused: no rule that {start} reaches uses it"
            hint = "Use it in a rule, or delete it."
            problems.append(Problem("unused-kind", message, hint, kind.location, "warning"))
    return problems


def _unused(definition: Definition, what: str) -> Problem:
    message = f"the {what} {definition.name} is never used"
    return Problem(
        "unused", message, "Use it in a rule, or delete it.", definition.location, "warning"
    )


def _produces_nothing(
    definition: Definition, alternatives: Sequence[Rule], solid: Collection[str]
) -> Problem:
    needs = dict.fromkeys(s for rule in alternatives for s in rule.symbols if s not in solid)
    if definition.name in needs:
        hint = f"Every alternative needs {definition.name} again: add one that ends."
    else:
        hint = f"Every alternative needs {' or '.join(needs)}, which produces nothing."
    return Problem(
        "produces-nothing",
        f"the rule {definition.name} produces no sentence",
        hint,
        definition.location,
    )


def productive(rules: Sequence[Rule], kinds: Mapping[str, object]) -> set[str]:
    """The symbols that derive at least one string of tokens."""
    solid = set(kinds)
    users: dict[str, list[int]] = {}
    missing: list[int] = []
    waiting: list[str] = []
    for number, rule in enumerate(rules):
        absent = [symbol for symbol in rule.symbols if symbol not in solid]
        missing.append(len(absent))
        for symbol in absent:
            users.setdefault(symbol, []).append(number)
        if not absent:
            waiting.append(rule.name)
    while waiting:
        name = waiting.pop()
        if name in solid:
            continue
        solid.add(name)
        for number in users.get(name, ()):
            missing[number] -= 1
            if not missing[number]:
                waiting.append(rules[number].name)
    return solid


def reachable(by_name: Mapping[str, Sequence[Rule]], start: str) -> set[str]:
    """The symbols that occur in derivations from `start`."""
    reached, waiting = {start}, [start]
    while waiting:
        for rule in by_name.get(waiting.pop(), ()):
            for symbol in rule.symbols:
                if symbol not in reached:
                    reached.add(symbol)
                    waiting.append(symbol)
    return reached


def _did_you_mean(name: str, known: Sequence[str]) -> str:
    return did_you_mean(nearest(name, known), sentence=True)
