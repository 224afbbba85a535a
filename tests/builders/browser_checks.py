"""What every page has to hold in a browser, and a browser that is signed in."""

from typing import Any

from django.test import Client

# Pixels by which the page is wider than its screen.
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


UNLABELLED = """[...document.querySelectorAll('main input:not([type=hidden]), main select, main textarea, main button')]
  .filter(e => e.offsetParent && !(e.labels && e.labels.length) && !e.getAttribute('aria-label') && !e.innerText.trim()
    && e.type !== 'submit').map(e => e.outerHTML.slice(0, 120))"""
# The contrast of every visible text with the nearest opaque background, as WCAG defines it.
TOO_PALE = """(() => {
  const UNSEEN = '.visually-hidden, .skip-to-content-link, [disabled], option, svg';
  const rgba = text => (text.match(/[0-9.]+/g) || []).map(Number);
  const channel = v => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const over = (top, ground) => { const a = top[3] === undefined ? 1 : top[3];
    return [0, 1, 2].map(i => top[i] * a + ground[i] * (1 - a)); };
  const ground = e => { if (!e) return [255, 255, 255];
    const own = rgba(getComputedStyle(e).backgroundColor);
    if (own.length === 3 || own[3] === 1) return own.slice(0, 3);
    return own[3] ? over(own, ground(e.parentElement)) : ground(e.parentElement); };
  const pale = [];
  for (const e of document.querySelectorAll('body *')) {
    const hasText = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    if (!hasText || !e.offsetParent || e.closest(UNSEEN)) continue;
    const style = getComputedStyle(e), behind = ground(e);
    const a = light(over(rgba(style.color), behind)), b = light(behind);
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(style.fontSize), isLarge = size >= 24 || (size >= 18.7 && style.fontWeight >= 700);
    if (ratio < (isLarge ? 3 : 4.5)) pale.push([e.className, e.textContent.trim().slice(0, 30), ratio.toFixed(2)]);
  }
  return pale;
})()"""


def looks_right(page: Any, what: str = "") -> None:
    """The page is no wider than its screen, every control has a label, and every text can be read."""
    assert page.evaluate(WIDER) <= 0, what
    assert page.evaluate(UNLABELLED) == [], what
    assert page.evaluate(TOO_PALE) == [], what


def sign_in(context: Any, site: str, user: Any) -> None:
    """Give the pages of a browser context the session of this user."""
    client = Client()
    client.force_login(user)
    context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": site}])
