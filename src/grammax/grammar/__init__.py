"""Text or Python values → rules over kinds; their analysis; sampling sentences."""

from grammax.grammar.expand import Rule as Rule
from grammax.grammar.expressions import either as either
from grammax.grammar.expressions import many as many
from grammax.grammar.expressions import optional as optional
from grammax.grammar.expressions import some as some
from grammax.grammar.expressions import token as token
from grammax.grammar.grammar import Grammar as Grammar
from grammax.grammar.kinds import read_tokens as read_tokens
from grammax.grammar.kinds import split_kinds as split_kinds
from grammax.grammar.productions import Productions as Productions
from grammax.grammar.sample import Sampler as Sampler
from grammax.grammar.sample import sentences as sentences
