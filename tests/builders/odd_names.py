"""Names with markup, formulas, marks of direction and other signs."""

NAMES = (
    "<script>alert(1)</script>",
    'Ann "Ace" O\'Neil & Co',
    "محمد عبد الله",
    "Zoë 🃏 👩🏽‍🦱",
    '=HYPERLINK("http://evil","x")',
    "\u202egnirts",
    "{seat} {1} {{ 7|add:7 }} {% now 'Y' %}",
    "＝1+1",
    "-2+3",
    "x" * 200,
)
