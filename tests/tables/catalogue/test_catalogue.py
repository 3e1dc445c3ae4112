"""What the catalogue holds, at every size, and what happens when its file is damaged."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from grammax.domains.eqs.catalogue import FILE as CATALOGUE_FILE
from grammax.domains.eqs.catalogue import load_catalogue, read_catalogue
from grammax.domains.eqs.schema import EQUITIES
from grammax.errors import FileFormatError, UnknownToken
from grammax.language.filling import slots
from grammax.tables.catalogue.catalogue import Catalogue
from grammax.tables.catalogue.file import read_contents
from grammax.tables.grammar import grammar, kinds
from grammax.tables.lexicon import BETWEEN, FILLED, FIXED_TOKENS, ZERO


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.mark.parametrize("size", [1_000, 1_001, 2_500, 10_000, 56_209, 60_000, 150_000])
def test_every_size_has_exactly_as_many_tokens_each_once(size: int) -> None:
    catalogue = load_catalogue(size)
    tokens = catalogue.lexicon.tokens
    assert len(catalogue) == len(tokens) == len(set(tokens)) == size
    parts = (FIXED_TOKENS, catalogue.fields, catalogue.values, catalogue.units)
    assert sum(map(len, parts)) == size


@pytest.mark.slow
def test_a_million_tokens_still_derive_from_real_names() -> None:
    catalogue = load_catalogue(1_000_000)
    assert len(set(catalogue.lexicon.tokens)) == 1_000_000
    last = catalogue.values[catalogue.ranking[-1]]
    assert last.parent is not None
    assert last.name.startswith(catalogue.values[last.parent].name)


def test_the_default_is_the_size_of_the_paper(catalogue: Catalogue) -> None:
    assert len(catalogue) == 56_209


@pytest.mark.parametrize("size", [1_000, 56_209])
def test_a_grammar_can_be_made_from_the_lexicon(size: int) -> None:
    lexicon = load_catalogue(size).lexicon
    for enum in lexicon.enums:
        assert enum.fields
        assert enum.values
    assert grammar(lexicon, typed=True)
    assert grammar(lexicon, typed=False)
    listed = [token for tokens in kinds(lexicon).values() for token in tokens]
    filled = {ZERO, BETWEEN, *(slot for kind in FILLED for slot in slots(kind))}
    assert len(listed) == len(set(listed)) == size + len(filled)  # only decoders use these
    assert set(listed) == {*lexicon.tokens, *filled}


def test_a_smaller_catalogue_is_a_prefix_of_a_larger_one(catalogue: Catalogue) -> None:
    small = load_catalogue(5_000)
    assert catalogue.ranking[: len(small.ranking)] == small.ranking
    assert small.version != catalogue.version


@pytest.mark.parametrize("size", [1_000, 56_209])
@pytest.mark.parametrize(
    "token",
    [
        *("FLD_INDEX", "FLD_DOMICILE", "FLD_EQS_SECTOR", "FLD_RETURN_ON_CAP", "FLD_MKT_CAP"),
        *("FLD_SALES_REV_TURN", "FLD_EPS", "FLD_PE_RATIO", "FLD_PRICE", "FLD_PB_RATIO"),
        *("FLD_EXCHANGE", "FLD_MOODY", "FLD_FITCH", "FLD_SP_RATING", "IDX_SP500", "COU_GERMANY"),
        *("COU_WESTERN_EUROPE", "SEC_GICS_STEEL", "EXC_XNYS", "CUR_USD"),
    ],
)
def test_the_names_of_the_paper_are_there_at_every_size(size: int, token: str) -> None:
    assert token in load_catalogue(size)


def test_each_field_has_a_known_type_a_base_and_a_unit(catalogue: Catalogue) -> None:
    for token, field in catalogue.fields.items():
        assert field.token == token
        assert field.type in EQUITIES.number_types or field.type in catalogue.value_types
        assert field.description
        assert bool(field.unit) == (field.type in EQUITIES.number_types)
        assert bool(field.base) == bool(field.variant)
        assert field.base is None or field.base in catalogue.fields


def test_a_variant_has_the_type_that_it_makes(catalogue: Catalogue) -> None:
    types = {"GROWTH": "PERCENT", "TO": "PERCENT", "PER": "PER_SHARE"}
    for field in catalogue.fields.values():
        if field.variant and field.base:
            kept = catalogue.fields[field.base].type
            assert field.type == types.get(field.variant.partition("_")[0], kept) or (
                field.variant == "FORWARD_GROWTH" and field.type == "PERCENT"
            )


def test_there_are_as_many_fields_as_on_a_terminal(catalogue: Catalogue) -> None:
    assert 1_000 <= len(catalogue.fields) <= 1_500


def test_aliases_are_lower_case_and_no_two_fields_share_one(catalogue: Catalogue) -> None:
    seen: dict[str, str] = {}
    for field in catalogue.fields.values():
        for alias in field.aliases:
            assert alias == alias.lower()
            assert seen.setdefault(alias, field.token) == field.token


def test_tokens_begin_with_the_prefix_of_their_type(catalogue: Catalogue) -> None:
    for token, value in [*catalogue.values.items(), *catalogue.units.items()]:
        assert value.token == token
        assert token.startswith(catalogue.value_types[value.type].prefix)
        assert re.fullmatch(r"[A-Z0-9_]+", token)


def test_no_two_values_of_a_type_have_one_name(catalogue: Catalogue) -> None:
    names: dict[tuple[str, str], str] = {}
    for value in catalogue.values.values():
        other = names.setdefault((value.type, value.name.lower()), value.token)
        assert other == value.token, (value, other)


def test_parents_have_the_type_of_their_children_and_form_no_circle(catalogue: Catalogue) -> None:
    for value in catalogue.values.values():
        above, steps = value, 0
        while above.parent:
            assert catalogue.values[above.parent].type == value.type
            above, steps = catalogue.values[above.parent], steps + 1
            assert steps < 5


def test_scales_are_ranked_and_nothing_else_is(catalogue: Catalogue) -> None:
    for value in catalogue.values.values():
        assert (value.rank is not None) == catalogue.value_types[value.type].ordered
    moody = [catalogue.values[token] for token in catalogue.values_of("MOODY")]
    assert [value.name for value in moody][:3] == ["Aaa", "Aa1", "Aa2"]
    assert [value.rank for value in moody] == list(range(1, 22))
    assert catalogue.values["SPR_BBB_MINUS"].rank == catalogue.values["MDY_BAA3"].rank == 10


def test_a_region_holds_its_countries_and_a_sector_its_industries(catalogue: Catalogue) -> None:
    assert "COU_GERMANY" in catalogue.children("COU_WESTERN_EUROPE")
    assert {"COU_EUROPE", "COU_WESTERN_EUROPE", "COU_GERMANY"} <= set(
        catalogue.descendants("COU_EUROPE")
    )
    assert "SEC_GICS_STEEL" in catalogue.descendants("SEC_GICS_MATERIALS")
    assert catalogue.children("COU_GERMANY") == ()
    assert catalogue.descendants("COU_GERMANY") == ("COU_GERMANY",)
    assert len(catalogue.descendants("COU_G7")) == 8
    assert "COU_SOUTH_AFRICA" in catalogue.descendants("COU_EMEA")


def test_the_whole_gics_tree_hangs_on_eleven_sectors(catalogue: Catalogue) -> None:
    sectors = catalogue.values_of("SECTOR")
    roots = [token for token in sectors if catalogue.values[token].parent is None]
    assert (len(sectors), len(roots)) == (273, 11)


def test_currencies_stand_after_numbers_and_are_no_enum_values(catalogue: Catalogue) -> None:
    assert catalogue.units["CUR_EUR"].type == "CURRENCY"
    assert "CUR_EUR" not in catalogue.values
    assert catalogue.lexicon.units == tuple(catalogue.units)
    assert "CURRENCY" not in {enum.name for enum in catalogue.lexicon.enums}


def test_names_of_tokens(catalogue: Catalogue) -> None:
    assert catalogue.name_of("COU_GERMANY") == "Germany"
    assert catalogue.name_of("FLD_MKT_CAP") == "Market capitalisation"
    assert catalogue.name_of("CUR_USD") == "US Dollar"
    assert catalogue.name_of("AND") == "AND"


def test_an_unknown_token_gets_a_suggestion(catalogue: Catalogue) -> None:
    with pytest.raises(UnknownToken, match=r"'COU_GERMANI' .* Did you mean .*COU_GERMANY"):
        catalogue.name_of("COU_GERMANI")
    with pytest.raises(UnknownToken):
        catalogue.children("EQ")


def test_the_version_is_a_short_hash_of_the_content(tmp_path: Path, catalogue: Catalogue) -> None:
    assert re.fullmatch(r"[0-9a-f]{12}", catalogue.version)
    other = tmp_path / "catalogue.tsv.gz"
    text = gzip.decompress(CATALOGUE_FILE.read_bytes())
    other.write_bytes(gzip.compress(text, compresslevel=1))
    assert read_catalogue(other).version == catalogue.version
    other.write_bytes(gzip.compress(text.replace(b"\tGermany\t", b"\tDeutschland\t"), 1))
    assert read_catalogue(other).version != catalogue.version


def test_listings_fill_up_what_real_names_do_not(catalogue: Catalogue) -> None:
    large = load_catalogue(150_000)
    listing = large.values["ISS_APPLE_INC_AT_XNYS"]
    assert listing.name == "Apple Inc (New York Stock Exchange)"
    assert listing.parent == "ISS_APPLE_INC"
    assert listing.token in large.children("ISS_APPLE_INC")
    assert listing.token not in catalogue


def test_the_file_is_small_and_says_where_it_comes_from() -> None:
    assert CATALOGUE_FILE.stat().st_size <= 3_000_000
    notice = (CATALOGUE_FILE.parent / "NOTICE").read_text()
    pins = Path(__file__).parents[3] / "scripts/catalogue/requirements.txt"
    for line in pins.read_text().splitlines():
        if line and not line.startswith("#"):
            assert line.replace("==", " ") in notice


@pytest.mark.parametrize("size", [0, 999, 1_000_001])
def test_sizes_out_of_range_are_refused(size: int) -> None:
    with pytest.raises(ValueError, match=r"1,000 to 1,000,000 tokens"):
        load_catalogue(size)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda packed: packed[: len(packed) // 2], "truncated or damaged"),
        (lambda packed: packed[:9000] + b"\x00" * 9 + packed[9009:], "truncated or damaged"),
        (lambda _: b"", "is not a catalogue"),
        (lambda _: b"PK\x03\x04 a zip file", "truncated or damaged"),
        (lambda _: gzip.compress(b"name,price\n"), "is not a catalogue"),
        (lambda _: gzip.compress(b"grammax-catalogue 2\n"), "has format 2; .* reads format 1"),
        (lambda _: gzip.compress(b"grammax-catalogue 1\nCOUNTRY\n"), "cannot be read"),
    ],
)
def test_a_damaged_file_is_named_with_what_to_do(tmp_path: Path, damage, message: str) -> None:
    path = tmp_path / "catalogue.tsv.gz"
    path.write_bytes(damage(CATALOGUE_FILE.read_bytes()))
    with pytest.raises(FileFormatError, match=rf"(?s){path}.*{message}.*build_catalogue"):
        read_catalogue(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="does not exist"):
        read_catalogue(tmp_path / "catalogue.tsv.gz")


def test_the_types_of_the_file_are_those_of_the_schema() -> None:
    given = {(t.name, t.prefix, t.label, t.ordered) for t in read_contents(CATALOGUE_FILE).types}
    assert given == {(t.name, t.prefix, t.label, t.ordered) for t in EQUITIES.enums}
