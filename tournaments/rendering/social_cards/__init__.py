"""Pictures that stand beside a link: the podium of a tournament as PNG.

Rules: docs/how-to/publishing.md, "Link previews". What draws takes 17 MB that most processes never need, so it is
fetched with the first picture. Knows no clock, no network, no settings and no database.
"""

from tournaments.rendering.social_cards.content import Podium, Step, Tone


def podium_picture(podium: Podium) -> bytes:
    """The picture of a podium as PNG: the same podium gives the same bytes."""
    from tournaments.rendering.social_cards import podium as drawing  # noqa: PLC0415 (see above)

    return drawing.podium_picture(podium)


__all__ = ["Podium", "Step", "Tone", "podium_picture"]
