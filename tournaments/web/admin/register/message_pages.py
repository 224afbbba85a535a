"""The page on which owners and directors choose who is told what happens in the club, and see what was sent."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django import forms
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from tournaments.models import Club, MessageKind, Receiver
from tournaments.models.outbox import MOST_RECEIVER_NAME
from tournaments.outbox.receivers import (
    MOST_ADDRESS,
    ReceiverDraft,
    add_receiver,
    change_receiver,
    readable_address,
    readable_secrets,
    receiver_of,
    receivers_of,
    remove_receiver,
    rotate_secret,
    send_test,
    switch,
)
from tournaments.outbox.subscriptions import browsers_of
from tournaments.web.admin.base.command_fields import IDENTITY, TextField, WordField
from tournaments.web.admin.base.command_forms import CommandForm, pressed, sent_form
from tournaments.web.admin.base.list_files import MOST_ROWS, ListFile, asked_file, list_file
from tournaments.web.admin.base.pages import purpose
from tournaments.web.admin.base.request import go_on
from tournaments.web.admin.base.scoping import admin_page, club_moment

LAST = 10
# Readers add what is for their browsers.
ADDED = [(channel.value, channel.label) for channel in Receiver.Channel if channel != Receiver.Channel.PUSH]
KINDS = [(kind.value, kind.label) for kind in MessageKind if kind != MessageKind.TEST]


class ReceiverForm(CommandForm):
    """What is chosen of a receiver; the command reports what is wrong with it."""

    name = TextField(
        label=gettext_lazy("Name"),
        max_length=MOST_RECEIVER_NAME,
        required=False,
        help_text=gettext_lazy("For your own list, such as: club chat"),
    )
    address = TextField(
        label=gettext_lazy("Address"),
        max_length=MOST_ADDRESS,
        required=False,
        attrs={"dir": "ltr", "autocomplete": "off"},
        help_text=gettext_lazy("Of the webhook, the chat or the mailbox. Empty for players"),
    )
    kinds = forms.MultipleChoiceField(
        label=gettext_lazy("Messages"), choices=KINDS, required=False, widget=forms.CheckboxSelectMultiple
    )
    language = forms.ChoiceField(
        label=gettext_lazy("Language"),
        choices=lambda: [("", gettext("The club's")), *settings.LANGUAGES],
        required=False,
    )

    def draft(self, request: HttpRequest, channel: str) -> ReceiverDraft:
        """What was chosen, as the command takes it."""
        cleaned = self.read
        return ReceiverDraft(
            channel=channel,
            name=cleaned.get("name", ""),
            address=cleaned.get("address", ""),
            kinds=cleaned.get("kinds", ()),
            language=cleaned.get("language", ""),
            site=f"{request.scheme}://{request.get_host()}",
        )


class AddForm(ReceiverForm):
    """A new receiver."""

    channel = forms.ChoiceField(label=gettext_lazy("Send to"), choices=ADDED)
    field_order = ("channel", "name", "address", "kinds", "language")


class ChangeForm(ReceiverForm):
    """Another name, address, language, or other messages for a receiver."""

    receiver = WordField()


class ReceiverButton(CommandForm):
    """A button of one receiver."""

    receiver = WordField()


class RemoveForm(ReceiverButton):
    """The confirmation without which no receiver is removed."""

    sure = forms.BooleanField(
        label=gettext_lazy("I am sure: this cannot be undone"),
        error_messages={"required": gettext_lazy("Tick the box first.")},
    )


BUTTONS: dict[str, tuple[Callable[[Receiver], object], str]] = {
    "on": (lambda receiver: switch(receiver, is_on=True, now=now()), gettext_noop("{name} is on.")),
    "off": (lambda receiver: switch(receiver, is_on=False, now=now()), gettext_noop("{name} is off.")),
    "test": (lambda receiver: send_test(receiver, now=now()), gettext_noop("A test message to {name} is on its way.")),
    "rotate": (
        lambda receiver: rotate_secret(receiver, now=now()),
        gettext_noop("{name} has a new secret. The former one is valid for a day."),
    ),
    "remove": (remove_receiver, gettext_noop("{name} is removed.")),
}
FORMS: dict[str, type[CommandForm]] = {
    "add": AddForm,
    "change": ChangeForm,
    **dict.fromkeys(BUTTONS, ReceiverButton),
    "remove": RemoveForm,
}


@purpose(gettext_noop("Tell a website, a chat or people by mail what happens in the club."))
def messages(request: HttpRequest, club: Club) -> HttpResponse:
    """The receivers of the club, each with its buttons and last messages, and a form to add one."""
    form = sent_form(request, FORMS)
    if form is None:
        kind, asked = asked_file(request), request.GET.get("receiver", "")
        return _deliveries_file(club, kind, _receiver(club, asked)) if kind else _page(request, club)
    if isinstance(form, AddForm):
        draft = form.draft(request, form.read.get("channel", ""))
        key = form.read.get("key", "")
        form.attempt(lambda: add_receiver(club, draft, now=now(), key=key))
        name, text = draft.name, gettext("{name} gets messages.")
    else:
        receiver = _receiver(club, form.read.get("receiver", ""))
        name, text = receiver.name, gettext("{name} is changed.")
        if isinstance(form, ChangeForm):
            changed = form.draft(request, receiver.channel)
            form.attempt(lambda: change_receiver(receiver, changed))
        else:
            press, done = BUTTONS[pressed(request.POST)]
            if form.is_valid():
                form.attempt(lambda: press(receiver))
            text = gettext(done)
    if form.errors:
        return _page(request, club, form)
    return go_on(request, reverse("admin:tournaments_club_messages", args=[club.pk]), text.format(name=name))


def _receiver(club: Club, text: str) -> Receiver:
    receiver = receiver_of(club, UUID(text)) if IDENTITY.fullmatch(text) else None
    if receiver is None:
        raise Http404
    return receiver


def _deliveries_file(club: Club, kind: ListFile, receiver: Receiver) -> HttpResponse:
    """What was sent to a receiver and is still listed, the latest first."""
    heading = (gettext("When"), gettext("Message"), gettext("Status"), gettext("Tries"), gettext("Answer"))
    rows = (
        (
            club_moment(delivery.told_at, club),
            delivery.get_kind_display(),
            delivery.get_state_display(),
            delivery.tries,
            " ".join(filter(None, (str(delivery.status or ""), delivery.answer))),
        )
        for delivery in receiver.deliveries.order_by("-told_at", "-id")[:MOST_ROWS]
    )
    return list_file(kind, f"{club.slug}-messages", heading, rows, locale=club.locale)


def _page(request: HttpRequest, club: Club, sent: CommandForm | None = None) -> TemplateResponse:
    context = {
        "club": club,
        "lines": [_line(club, receiver, sent) for receiver in receivers_of(club)],
        "add": sent if isinstance(sent, AddForm) else AddForm(),
        "form": sent,
        "title": gettext("Messages: {name}").format(name=club.name),
        "sends_mail": settings.HAS_MAIL_SERVER,
    }
    return admin_page(request, "admin/tournaments/club/messages.html", context, model=Club)


def _line(club: Club, receiver: Receiver, sent: CommandForm | None) -> dict[str, Any]:
    """A receiver with its form, filled with what is saved or was sent, and its last messages."""
    is_sent = isinstance(sent, ChangeForm) and sent.read.get("receiver") == str(receiver.pk)
    initial = {
        "receiver": str(receiver.pk),
        "name": receiver.name,
        "address": readable_address(receiver),
        "kinds": receiver.kinds,
        "language": receiver.language,
    }
    return {
        "receiver": receiver,
        "form": sent if is_sent else ChangeForm(initial=initial, auto_id=f"id_{receiver.pk.hex}_%s"),
        "button": ReceiverButton(initial={"receiver": str(receiver.pk)}),
        "remove": RemoveForm(initial={"receiver": str(receiver.pk)}, auto_id=f"id_remove_{receiver.pk.hex}_%s"),
        "secrets": readable_secrets(receiver, now=now()),
        "browsers": browsers_of(club) if receiver.channel == Receiver.Channel.PUSH else None,
        "deliveries": receiver.deliveries.order_by("-told_at", "-id")[:LAST],
    }
