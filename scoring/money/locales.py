"""The places whose way of writing amounts a club can choose, and the currencies that exist.

Rules: docs/books.md, "Amounts". How a place writes is the word of CLDR, which Babel carries, and so are the codes.
Left out on purpose: Marathi, Kannada and Malayalam, whose money CLDR groups by thousands where clubs write lakhs.
"""

from babel.numbers import is_currency

from scoring.problems import Problem, shown

DEFAULT_LOCALE = "en_IN"
LOCALES = {
    "en_IN": "English (India)",
    "hi_IN": "Hindi (India)",
    "bn_IN": "Bangla (India)",
    "gu_IN": "Gujarati (India)",
    "pa_IN": "Punjabi (India)",
    "ta_IN": "Tamil (India)",
    "te_IN": "Telugu (India)",
    "ur_PK": "Urdu (Pakistan)",
    "en_PK": "English (Pakistan)",
    "bn_BD": "Bangla (Bangladesh)",
    "ne_NP": "Nepali (Nepal)",
    "si_LK": "Sinhala (Sri Lanka)",
    "en_AE": "English (United Arab Emirates)",
    "ar_AE": "Arabic (United Arab Emirates)",
    "ar_BH": "Arabic (Bahrain)",
    "ar_EG": "Arabic (Egypt)",
    "ar_KW": "Arabic (Kuwait)",
    "ar_TN": "Arabic (Tunisia)",
    "he_IL": "Hebrew (Israel)",
    "fa_IR": "Persian (Iran)",
    "tr_TR": "Turkish (Türkiye)",
    "en_GB": "English (United Kingdom)",
    "en_IE": "English (Ireland)",
    "en_US": "English (United States)",
    "en_CA": "English (Canada)",
    "fr_CA": "French (Canada)",
    "en_AU": "English (Australia)",
    "en_NZ": "English (New Zealand)",
    "en_SG": "English (Singapore)",
    "en_KE": "English (Kenya)",
    "de_DE": "German (Germany)",
    "de_AT": "German (Austria)",
    "de_CH": "German (Switzerland)",
    "fr_FR": "French (France)",
    "fr_BE": "French (Belgium)",
    "fr_CH": "French (Switzerland)",
    "it_IT": "Italian (Italy)",
    "es_ES": "Spanish (Spain)",
    "es_MX": "Spanish (Mexico)",
    "es_AR": "Spanish (Argentina)",
    "es_CL": "Spanish (Chile)",
    "pt_PT": "Portuguese (Portugal)",
    "pt_BR": "Portuguese (Brazil)",
    "nl_NL": "Dutch (Netherlands)",
    "nl_BE": "Dutch (Belgium)",
    "da_DK": "Danish (Denmark)",
    "nb_NO": "Norwegian (Norway)",
    "sv_SE": "Swedish (Sweden)",
    "fi_FI": "Finnish (Finland)",
    "pl_PL": "Polish (Poland)",
    "cs_CZ": "Czech (Czechia)",
    "sk_SK": "Slovak (Slovakia)",
    "hu_HU": "Hungarian (Hungary)",
    "ro_RO": "Romanian (Romania)",
    "el_GR": "Greek (Greece)",
    "uk_UA": "Ukrainian (Ukraine)",
    "ja_JP": "Japanese (Japan)",
    "ko_KR": "Korean (South Korea)",
    "zh_CN": "Chinese (China)",
    "zh_TW": "Chinese (Taiwan)",
    "vi_VN": "Vietnamese (Vietnam)",
    "th_TH": "Thai (Thailand)",
    "id_ID": "Indonesian (Indonesia)",
}
# Codes in X are no country's: metals, units of account, "none", the one for tests. Countries together pay with these.
MONEY_IN_X = frozenset({"XAF", "XCD", "XCG", "XOF", "XPF"})


def known_locale(name: str) -> str:
    """The locale itself; the default where it is none of those that are offered."""
    return name if name in LOCALES else DEFAULT_LOCALE


def is_money(currency: str) -> bool:
    """Whether a code means a currency, today's or a former one: nights of those years can still be written down."""
    return is_currency(currency) and (currency[0] != "X" or currency in MONEY_IN_X)


def currency_problems(currency: str) -> list[Problem]:
    """What keeps a code from being the money of a tournament. Asked when it is set up, never of what is stored."""
    if is_money(currency):
        return []
    detail = f"{shown(currency)} is no currency of ISO 4217; the code of Indian rupees is INR, of euros EUR"
    return [Problem(code="unknown_currency", field="currency", detail=detail)]
