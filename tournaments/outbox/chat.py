"""Messages to a chat, by the address that the chat's own settings offer. Needs the extra `chat` (apprise).

apprise opens its connections itself, without our check of addresses. So only services are allowed whose hosts are fixed
by apprise, and whose address has no place for another host.
"""

from typing import Any

from scoring.messages import Message, say

# By apprise's name of the service. Not allowed, because the address names the host: Matrix, Mattermost, Rocket.Chat,
# own ntfy servers, e-mail, JSON and the like. Microsoft Teams' workflows name one too, below Microsoft's domains.
FIXED_HOSTS = frozenset({"Discord", "Google Chat", "Slack", "Telegram"})
TEAMS_DOMAINS = (".logic.azure.com", ".api.powerplatform.com")
SERVICES = "Slack, Discord, Telegram, Microsoft Teams, Google Chat, ntfy.sh"
PUBLIC_NTFY = "cloud"
EXTRA = "rummy-evening[chat]"


def problem_with(address: str) -> Message | None:
    """Why no message can be sent to this address; None if one can. Sends nothing, and looks nothing up."""
    try:
        from apprise import Apprise  # noqa: PLC0415 - an extra: installed where a club uses it
    except ImportError:
        return say("Install {extra} to send to chats", extra=EXTRA)
    service = Apprise.instantiate(address, suppress_exceptions=True)
    if service is None:
        return say("This is not the address of a chat. Copy it from the chat's settings for webhooks")
    return None if _is_allowed(service) else say("Only these services: {services}", services=SERVICES)


def send(address: str, title: str, text: str) -> Message | None:
    """Send one message; None once the chat has taken it, else why not.

    As plain text: names are escaped as each chat needs it. A sign of no width after each @ calls nobody.
    """
    problem = problem_with(address)
    if problem is not None:
        return problem
    from apprise import Apprise, AppriseAsset, NotifyFormat  # noqa: PLC0415 - see above

    asset = AppriseAsset(http_redirects=False)
    service: Any = Apprise.instantiate(address, asset=asset, suppress_exceptions=True)
    # An address can ask for them again.
    service.redirects = False
    chats = Apprise(asset=asset)
    chats.add(service)
    is_taken = chats.notify(body=_quiet(text), title=_quiet(title), body_format=NotifyFormat.TEXT)
    return None if is_taken else say("The chat did not take the message")


def _quiet(text: str) -> str:
    return text.replace("@", "@\N{ZERO WIDTH SPACE}")


def _is_allowed(service: Any) -> bool:
    name = str(service.service_name)
    if getattr(service, "template", None):
        # A file or an address that apprise would read, inside the network as well.
        return False
    if name == "ntfy":
        return bool(service.mode == PUBLIC_NTFY)
    if name == "Power Automate / Workflows (for MSTeams)":
        return str(service.host).lower().endswith(TEAMS_DOMAINS)
    return name in FIXED_HOSTS
