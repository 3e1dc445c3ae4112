"""Tokens, their kinds, and the order of rows: what an output matrix and a grammar share."""

from grammax.vocabulary.vocabulary import NOTHING as NOTHING
from grammax.vocabulary.vocabulary import Ids as Ids
from grammax.vocabulary.vocabulary import Permitted as Permitted
from grammax.vocabulary.vocabulary import Span as Span
from grammax.vocabulary.vocabulary import Vocabulary as Vocabulary
from grammax.vocabulary.vocabulary import merge_spans as merge_spans
