"""The content security policy in a real browser: our pages break none of its rules."""

from typing import Any

import pytest

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("path", ["/admin/login/", "/api/v1/docs/"])
def test_a_browser_finds_nothing_to_complain_of(live_server: Any, page: Any, path: str):
    answer = page.goto(f"{live_server.url}{path}", wait_until="networkidle")
    assert answer.status == 200
    assert page.complaints == []


@pytest.mark.slow
def test_an_inline_script_is_refused(live_server: Any, page: Any):
    """The planted fault: a script written into the page, as a stored name with markup would."""
    page.goto(f"{live_server.url}/admin/login/")
    page.evaluate(
        "() => { const script = document.createElement('script');"
        " script.textContent = 'window.wasFooled = true'; document.body.append(script); }"
    )
    assert page.evaluate("() => window.wasFooled") is None
    assert any("Content Security Policy" in said for said in page.complaints)
