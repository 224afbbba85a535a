"""Waiting until each phone has sent another deal."""

from tests.builders.served_site import Phone


def wait_for_more(phones: list[Phone]) -> None:
    """Wait until another write was acknowledged: a kill while no one is writing proves nothing."""
    before = sum(len(phone.acknowledged) for phone in phones)
    phones[0].site.until(
        lambda: sum(len(phone.acknowledged) for phone in phones) > before or any(phone.failure for phone in phones)
    )
