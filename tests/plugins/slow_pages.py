"""`pytest -p tests.plugins.slow_pages`: scripts arrive late, answers later still, and the processor is busy.

A test that touches a page before its scripts have run fails here each time, and not once in a hundred runs.
"""

import random
import time
from typing import Any

import pytest

SCRIPT_SECONDS = 0.4
ANSWER_SECONDS = 0.1
TIMES_SLOWER = 1.5


@pytest.fixture(autouse=True)
def slow_pages(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Slow down the server of this test and, where it has one, its browser."""
    from django.contrib.staticfiles.handlers import StaticFilesHandler
    from django.core.handlers.wsgi import WSGIHandler

    serve, answer = StaticFilesHandler.serve, WSGIHandler.get_response

    def late_script(self: StaticFilesHandler, asked: Any) -> Any:
        time.sleep(SCRIPT_SECONDS if asked.path.endswith(".js") else 0)
        return serve(self, asked)

    def late_answer(self: WSGIHandler, asked: Any) -> Any:
        time.sleep(random.uniform(0, ANSWER_SECONDS))
        return answer(self, asked)

    monkeypatch.setattr(StaticFilesHandler, "serve", late_script)
    monkeypatch.setattr(WSGIHandler, "get_response", late_answer)
    if "page" in request.fixturenames:
        page = request.getfixturevalue("page")
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": TIMES_SLOWER})
