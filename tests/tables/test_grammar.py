"""The grammar of equity logical forms, and the paper's machines for it."""

from random import Random

import pytest

import grammax
from grammax.automaton import BoundAutomaton, Dfa
from grammax.automaton.compile import finite
from grammax.domains.eqs import paper as machines
from grammax.errors import TokenNotPermitted, VocabularyError
from grammax.grammar import Grammar, Rule, Sampler
from grammax.language.filling import slots
from grammax.tables import grammar as grammars
from grammax.tables.lexicon import (
    BETWEEN,
    FILLED,
    FIXED_TOKENS,
    ZERO,
    EnumTokens,
    Lexicon,
    NumberTokens,
)

LEXICON = Lexicon(
    enums=(
        EnumTokens("COUNTRY", ("FLD_DOMICILE",), ("COU_GERMANY", "COU_WESTERN_EUROPE")),
        EnumTokens("SECTOR", ("FLD_EQS_SECTOR",), ("SEC_GICS_STEEL",)),
        EnumTokens("INDEX", ("FLD_INDEX",), ("IDX_SP500", "IDX_DAX")),
        EnumTokens("FITCH", ("FLD_FITCH",), ("FITCH_AAA", "FITCH_B"), ordered=True),
    ),
    numbers=(
        NumberTokens("MONEY", ("FLD_MKT_CAP", "FLD_SALES"), denominations=True, units=True),
        NumberTokens("RATIO", ("FLD_PE_RATIO",)),
        NumberTokens("PERCENT", ("FLD_RETURN_ON_CAP",), percentages=True),
    ),
    units=("CUR_USD", "CUR_EUR"),
)
TYPED = grammars.grammar(LEXICON)
UNTYPED = grammars.grammar(LEXICON, typed=False)
VOCABULARY = grammax.Vocabulary(TYPED.kinds)
LR = grammax.lr(TYPED, VOCABULARY)
PAPER = finite(machines.paper(LEXICON, VOCABULARY), VOCABULARY, "paper")

FIGURE_1 = (
    "( AND ( FLD_INDEX EQ IDX_SP500 ) ( display FLD_RETURN_ON_CAP ) )",
    (
        "( AND ( NOT ( FLD_DOMICILE EQ COU_GERMANY ) ) ( FLD_DOMICILE EQ COU_WESTERN_EUROPE ) "
        "( FLD_EQS_SECTOR EQ SEC_GICS_STEEL ) )"
    ),
)
WELL_FORMED = (
    *FIGURE_1,
    "( FLD_MKT_CAP ( LAST QUARTER ) GR 1 BILLION CUR_USD )",
    "( FLD_MKT_CAP ( 2 0 1 8 JUN 2 3 ) GR - 1 . 5 )",
    "( FLD_MKT_CAP GE FLD_SALES ( FY 2 0 2 3 ) )",
    "( AND ( top 1 0 FLD_MKT_CAP ) ( display FLD_PE_RATIO ( Q2 2 0 2 4 ) DESC ) )",
    "( OR ( FLD_FITCH GE FITCH_B ) ( FLD_RETURN_ON_CAP LS 5 PCT ) )",
    "( bottom 3 FLD_FITCH ( LAST 3 MONTH ) )",
)
ILL_TYPED = (
    "( FLD_DOMICILE EQ IDX_SP500 )",
    "( FLD_DOMICILE GE COU_GERMANY )",
    "( FLD_PE_RATIO GR 5 CUR_USD )",
    "( FLD_PE_RATIO GR FLD_SALES )",
    "( top 5 FLD_DOMICILE )",
)
ILL_FORMED = ("( AND ( FLD_PE_RATIO GR 5 ) )", "( NOT", "( FLD_PE_RATIO GR 5 . )", "")


def accepts(automaton: BoundAutomaton, form: str) -> bool:
    try:
        return automaton.accepts(automaton.read(form.split()))
    except TokenNotPermitted:
        return False


@pytest.mark.parametrize("form", WELL_FORMED)
@pytest.mark.parametrize("grammar", [TYPED, UNTYPED], ids=["typed", "untyped"])
@pytest.mark.parametrize("way", [grammax.superset, grammax.unrolled, grammax.lr, grammax.earley])
def test_every_automaton_accepts_well_formed_logical_forms(form, grammar, way) -> None:
    assert accepts(way(grammar), form)


@pytest.mark.parametrize("form", [*ILL_TYPED, *ILL_FORMED])
def test_the_typed_grammar_refuses_ill_typed_and_ill_formed_ones(form: str) -> None:
    assert not accepts(LR, form)


def test_the_untyped_grammar_knows_no_value_types() -> None:
    untyped = grammax.lr(UNTYPED)
    assert accepts(untyped, "( FLD_DOMICILE EQ IDX_SP500 )")
    assert not accepts(untyped, "( FLD_DOMICILE GE COU_GERMANY )")


def test_both_grammars_share_one_vocabulary() -> None:
    assert list(TYPED.kinds) == list(UNTYPED.kinds)
    filled = [slot for kind in FILLED for slot in slots(kind)]
    assert sorted(VOCABULARY.tokens) == sorted([*LEXICON.tokens, ZERO, BETWEEN, *filled])
    assert len(set(FIXED_TOKENS)) == len(FIXED_TOKENS)


def test_typed_is_a_subset_of_untyped() -> None:
    typed = grammax.superset(TYPED, VOCABULARY).engine.dfa
    untyped = grammax.superset(UNTYPED, VOCABULARY).engine.dfa
    assert typed <= untyped
    assert not untyped <= typed


def test_a_type_without_fields_is_refused() -> None:
    with pytest.raises(VocabularyError, match="the type EMPTY has no field or no value"):
        Lexicon((EnumTokens("EMPTY", (), ("A",)),), (), ("CUR_USD",))


def of(dfa: Dfa, text: str) -> bool:
    return dfa.accepts(VOCABULARY.kind_of(token) for token in text.split())


def test_fpnm_reads_restricted_floating_point_numbers() -> None:
    dfa = machines.fpnm().dfa(VOCABULARY)
    assert all(of(dfa, text) for text in ("5", "1 2", "- 3", "3 . 1 4", "- 0 . 5"))
    assert not any(of(dfa, text) for text in ("", "-", ". 5", "5 .", "1 . 2 . 3", "- - 1"))


def test_rcm_has_a_branch_for_each_type_of_field() -> None:
    dfa = machines.rcm(LEXICON).dfa(VOCABULARY)
    assert of(dfa, "( FLD_DOMICILE EQ COU_GERMANY )")
    assert of(dfa, "( FLD_DOMICILE EQ IDX_SP500 )"), "any enum value after any enum field"
    assert not of(dfa, "( FLD_DOMICILE GE COU_GERMANY )"), "unordered fields take EQ alone"
    assert of(dfa, "( FLD_FITCH GE FITCH_B )")
    assert of(dfa, "( FLD_PE_RATIO LS - 1 . 5 )")
    assert not of(dfa, "( FLD_PE_RATIO LS FITCH_B )")


def test_the_display_machine_takes_an_order() -> None:
    dfa = machines.display_machine(LEXICON).dfa(VOCABULARY)
    assert of(dfa, "( display FLD_DOMICILE )")
    assert of(dfa, "( display FLD_MKT_CAP DESC )")
    assert not of(dfa, "( display FLD_MKT_CAP DESC ASC )")


ATOM = "( FLD_PE_RATIO LS 1 )"
COMPLEX = f"( NOT {ATOM} )"


@pytest.mark.parametrize(
    ("machine", "good", "bad"),
    [
        (
            machines.not_machine,
            [f"( NOT {ATOM} )", f"( NOT {COMPLEX} )"],
            [f"( NOT {ATOM} {ATOM} )"],
        ),
        (
            machines.or_machine,
            [f"( OR {ATOM} {ATOM} )", f"( OR {COMPLEX} {ATOM} )", f"( OR {ATOM} {COMPLEX} )"],
            [f"( OR {ATOM} )", f"( OR {ATOM} {ATOM} {ATOM} )"],
        ),
        (
            machines.and_machine,
            [f"( AND {ATOM * n} )".replace(")(", ") (") for n in (2, 3, 5)]
            + [f"( AND {COMPLEX} {ATOM} )", f"( AND {ATOM} {ATOM} {COMPLEX} )"],
            [f"( AND {ATOM} )", "( AND )"],
        ),
    ],
)
def test_the_machines_of_the_connectives(machine, good: list[str], bad: list[str]) -> None:
    dfa = machine(machines.rcm(LEXICON)).dfa(VOCABULARY)
    assert all(of(dfa, text) for text in good)
    assert not any(of(dfa, text) for text in bad)


def test_superset_paths_accept_more_than_the_language() -> None:
    unbalanced = f"( OR {ATOM} ( AND ) ) ) {ATOM} NOT"
    assert accepts(PAPER, unbalanced)
    assert not accepts(LR, unbalanced)


def test_m_lf_is_the_union_of_its_machines() -> None:
    atom = machines.rcm(LEXICON) | machines.display_machine(LEXICON)
    parts = [
        atom,
        machines.not_machine(atom),
        machines.and_machine(atom),
        machines.or_machine(atom),
    ]
    union = Dfa.nothing()
    for part in parts:
        union = union | part.dfa(VOCABULARY)
    assert union.equivalent(machines.paper(LEXICON, VOCABULARY))
    assert all(accepts(PAPER, form) for form in FIGURE_1)


def test_m_lf_never_forbids_what_the_paper_language_allows() -> None:
    """The law, on sampled forms of the paper's subset: no times, ranks, units or field values."""
    left_out = {"at", "RANK", "DENOMINATION", "CURRENCY", "PERCENTAGE", "NEQ"}
    left_out |= {"aggregate", "count", "ratio", "change", '"by"'}

    def weight(rule: Rule) -> float:
        symbols = set(rule.symbols)
        a_field = sum(symbol.endswith("_FIELD") for symbol in rule.symbols) > 1
        of_groups = any(symbol.endswith("_aggregate") for symbol in symbols)
        return 0 if a_field or of_groups or left_out & symbols else 1

    sampler, random = Sampler(TYPED, weight, max_depth=12), Random(0)
    for _ in range(500):
        state, exact = PAPER.start, LR.start
        for token in sampler.draw(random):
            state, exact = PAPER.pass_token(state, token), LR.pass_token(exact, token)
        assert PAPER.accepts(state)


def test_a_permitted_set_is_few_spans() -> None:
    automaton = grammax.lr(TYPED)
    sampler, random = Sampler(TYPED), Random(1)
    spans: list[int] = []
    for _ in range(200):
        state = automaton.start
        for token in sampler.draw(random):
            spans.append(len(automaton.next_tokens(state).spans))
            state = automaton.pass_token(state, token)
    assert sum(spans) / len(spans) <= 3
    assert max(spans) <= 8


def test_the_grammar_is_a_value() -> None:
    assert isinstance(TYPED, Grammar)
    assert grammars.grammar(LEXICON) == TYPED
