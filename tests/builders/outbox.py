"""What a scorer types in the browser, and saves."""

from typing import Any

HALL, SECURE = "hall.test", "localhost"


def types(page: Any, *counts: str) -> None:
    """A deal: seat 1 shows, the others lose these points."""
    show = page.locator('input[name="how-1"][data-letter="s"]')
    # If the page was refreshed meanwhile, another seat may be open, and this one be chosen already.
    page.focus("#count-1")
    if not show.is_checked():
        show.check(force=True)
    for place, count in enumerate(counts, start=2):
        page.fill(f"#count-{place}", count)


def saves(page: Any) -> None:
    page.click("[data-save]")
