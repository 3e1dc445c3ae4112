"""`grammax.load`: a trained parser, ready for programs, without PyTorch.

>>> import grammax
>>> parser = grammax.load("eqs")
>>> found = parser.parse("steel western europe not german")
>>> print(found.lf)  # doctest: +NORMALIZE_WHITESPACE
(AND (NOT (FLD_DOMICILE EQ enumValue(COU_GERMANY)))
     (FLD_DOMICILE EQ enumValue(COU_WESTERN_EUROPE))
     (FLD_EQS_SECTOR EQ enumValue(SEC_GICS_STEEL)))
>>> found.words_of(found.tokens.index("COU_GERMANY"))
('german',)

Values and fields are added and removed without training. Each change gives a new parser, which
shares almost all of its memory with the old one.

>>> wider = parser.with_values([grammax.NewValue("Wakanda", "country", aliases=("wakandan",))])
>>> print(wider.parse("wakandan steel").lf)  # doctest: +NORMALIZE_WHITESPACE
(AND (FLD_DOMICILE EQ enumValue(COU_WAKANDA))
     (FLD_EQS_SECTOR EQ enumValue(SEC_GICS_STEEL)))

| module | contents |
|---|---|
| `parsed` | results: `Parsed`, its `Alternative`s, `Answered` |
| `conditions` | parses of queries with phrases that stand for conditions |
| `parser` | `Parser`: parses and answers queries |
| `each` | `parse_each`: many texts, some of which cannot be parsed |
| `load` | `load`: the `Parser` of a domain and its model |
"""

from grammax.parser.load import load as load
from grammax.parser.parsed import Alternative as Alternative
from grammax.parser.parsed import Answered as Answered
from grammax.parser.parsed import Parsed as Parsed
from grammax.parser.parsed import Seconds as Seconds
from grammax.parser.parser import NothingToAsk as NothingToAsk
from grammax.parser.parser import Parser as Parser
