"""Tells receivers outside what happens in a club: mail, chats and webhooks follow the club's log by position.

Rules: docs/how-to/messages.md, docs/decisions/0083-an-outbox-follows-the-log.md. `messages` says what an event tells,
`following` writes deliveries and moves positions, `rendering` adds names and sentences, `sending` sends them from the
worker, through `posting` where it opens a socket itself.
"""
