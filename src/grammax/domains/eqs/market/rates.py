"""Exchange rates: the value of each currency in US dollars, by quarter.

The last rate of each currency is close to the real one; the earlier ones are generated.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from grammax.domains.eqs.market.noise import generator

DOLLAR: Final = "CUR_USD"

# Units of a currency for one US dollar, autumn 2025, to two or three digits.
_PER_DOLLAR: Final = """
EUR .86 JPY 154 GBP .76 CNY 7.12 AUD 1.53 CAD 1.40 CHF .80 HKD 7.78 SGD 1.30 SEK 9.5 KRW 1460
NOK 10.1 NZD 1.76 INR 88.7 MXN 18.4 TWD 31 ZAR 17.2 BRL 5.3 DKK 6.43 PLN 3.65 THB 32.4 ILS 3.24
IDR 16700 CZK 20.9 AED 3.67 TRY 42.3 HUF 332 CLP 940 SAR 3.75 PHP 58.9 MYR 4.14 COP 3750 RUB 81
RON 4.38 PEN 3.37 VND 26300 EGP 47.2 KWD .307 QAR 3.64 NGN 1440 PKR 281 ARS 1410 UAH 42 ISK 126
AFN 66 ALL 83 AMD 382 AOA 917 AWG 1.79 AZN 1.7 BAM 1.68 BBD 2 BDT 122 BHD .376 BIF 2950 BMD 1
BND 1.3 BOB 6.9 BSD 1 BTN 88.7 BWP 13.4 BYN 3.4 BZD 2 CDF 2200 CRC 502 CUP 24 CVE 95 DJF 178
DOP 64 DZD 130 ERN 15 ETB 154 FJD 2.28 FKP .76 GEL 2.71 GHS 11 GIP .76 GMD 73 GNF 8690 GTQ 7.66
GYD 209 HNL 26.3 HTG 131 IQD 1310 IRR 42100 JMD 160 JOD .709 KES 129 KGS 87.4 KHR 4010 KMF 424
KPW 900 KYD .833 KZT 524 LAK 21700 LBP 89500 LKR 305 LRD 180 LSL 17.2 LYD 5.46 MAD 9.27 MDL 17
MGA 4490 MKD 53 MMK 2100 MNT 3580 MOP 8.01 MRU 39.7 MUR 45.8 MVR 15.4 MWK 1734 MZN 63.9 NAD 17.2
NIO 36.8 NPR 142 OMR .385 PAB 1 PGK 4.22 PYG 7060 RSD 101 RWF 1453 SBD 8.24 SCR 13.9 SDG 601
SHP .76 SLE 23.2 SOS 571 SRD 38.6 SSP 4700 STN 21.1 SVC 8.75 SYP 11000 SZL 17.2 TJS 9.25 TMT 3.5
TND 2.95 TOP 2.39 TTD 6.78 TZS 2440 UGX 3620 UYU 39.8 UYW 6.2 UZS 12000 VED 234 VES 234 VUV 122
WST 2.8 XAF 564 XCD 2.7 XOF 564 XPF 103 YER 239 ZMW 22.6 ZWG 26.4
"""
PER_DOLLAR: Final = dict(
    zip(
        (f"CUR_{code}" for code in _PER_DOLLAR.split()[::2]),
        map(float, _PER_DOLLAR.split()[1::2]),
        strict=True,
    )
)

# Currencies that the market of the dollar hardly moves, and those that lost value for years.
_PEGGED: Final = (
    "AED", "AWG", "BBD", "BHD", "BMD", "BSD", "BZD", "CUP", "DJF", "ERN", "HKD", "JOD", "KWD",
    "KYD", "LBP", "MOP", "OMR", "PAB", "QAR", "SAR", "SVC", "TMT", "XCD",
)  # fmt: skip
_WEAK: Final = (
    "AOA", "ARS", "EGP", "ETB", "IRR", "LBP", "NGN", "PKR", "SDG", "SSP", "SYP", "TRY", "VED",
    "VES", "ZMW", "ZWG",
)  # fmt: skip


def exchange_rates(
    currencies: Sequence[str], quarters: int, seed: int
) -> dict[str, NDArray[np.float64]]:
    """The value of each currency in US dollars, in each quarter; the last one is real."""
    return {token: _path(token, quarters, seed) for token in currencies}


def _path(token: str, quarters: int, seed: int) -> NDArray[np.float64]:
    code = token.removeprefix("CUR_")
    if token == DOLLAR:
        return np.ones(quarters)
    yearly_loss = 0.18 if code in _WEAK else 0.01
    movement = 0.0005 if code in _PEGGED else 0.025
    steps = generator(seed, token).normal(-yearly_loss / 4, movement, quarters)
    steps[0] = 0
    path = np.cumsum(steps)
    rates = np.exp(path - path[-1]) / PER_DOLLAR.get(token, 1.0)
    return np.array([float(f"{rate:.5g}") for rate in rates])
