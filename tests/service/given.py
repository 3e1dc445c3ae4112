"""What the tests of the service send."""

from __future__ import annotations

TOKEN = "a token of twenty-five..."
GERMAN = ("(", "FLD_DOMICILE", "EQ", "COU_GERMANY", ")")
LF = "(FLD_DOMICILE EQ enumValue(COU_GERMANY))"
