"""Amounts as people write them: 264000 minor units of INR are 2640.00, of JPY 264000.

Rules: ISO 4217, the minor unit of each currency. The currency's name is the caller's to print. A minus sign
stands first; thousands are not grouped, because clubs group them in different ways.
"""

# Every other currency in use has two decimals. MRU and MGA divide by five and are booked in hundredths.
DECIMALS = {
    **dict.fromkeys(("BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW"), 0),
    **dict.fromkeys(("PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF", "XPF"), 0),
    **dict.fromkeys(("BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"), 3),
    **dict.fromkeys(("CLF", "UYW"), 4),
}


def decimals(currency: str) -> int:
    """How many decimals amounts of this currency are written with."""
    return DECIMALS.get(currency, 2)


def format_minor(amount_minor: int, currency: str) -> str:
    """An amount in whole units and decimals, exact: no float is ever involved."""
    places = decimals(currency)
    sign = "-" if amount_minor < 0 else ""
    digits = str(abs(amount_minor)).zfill(places + 1)
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"
