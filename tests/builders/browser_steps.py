"""The steps of a task in a browser: documents loaded, pointer presses, keys, pixels scrolled."""

import json
from collections.abc import Callable
from typing import Any

# Makes the address of a page on the server that a browser asks.
At = Callable[[str], str]

# Kept by the tab, so that it survives each document. All scrolling counts, also automatic.
COUNTER = """(() => {
  if (window.top !== window || location.protocol === "about:") return;
  const add = (what, number = 1) => {
    const steps = JSON.parse(sessionStorage.getItem("steps") || "{}");
    sessionStorage.setItem("steps", JSON.stringify({ ...steps, [what]: (steps[what] || 0) + number }));
  };
  const places = new Map();
  add("pages");
  addEventListener("pointerup", (event) => event.isTrusted && add("taps"), true);
  addEventListener("keydown", (event) => event.isTrusted && !event.repeat && add("keys"), true);
  addEventListener("scroll", (event) => {
    const at = event.target === document ? document.scrollingElement : event.target;
    add("pixels", Math.abs(at.scrollTop - (places.get(at) || 0)));
    places.set(at, at.scrollTop);
  }, true);
})()"""


class Steps:
    """Counts on one page, from `begin` on, whatever documents it goes to."""

    def __init__(self, page: Any) -> None:
        self.page = page
        page.add_init_script(COUNTER)

    def begin(self) -> None:
        """Count from here; the page has been opened."""
        self.page.wait_for_timeout(100)
        self.page.evaluate("sessionStorage.setItem('steps', '{}')")

    def taken(self) -> dict[str, int]:
        """Pages, taps, keys and pixels since then."""
        self.page.wait_for_timeout(100)
        counted = json.loads(self.page.evaluate("sessionStorage.getItem('steps')"))
        return {what: round(counted.get(what, 0)) for what in ("pages", "taps", "keys", "pixels")}
