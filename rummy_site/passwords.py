"""How passwords are kept, and what ends when one is changed. Figures: docs/decisions/0031-failed-log-ins.md."""

from django.contrib.auth.hashers import Argon2PasswordHasher


class ClubHasher(Argon2PasswordHasher):
    """Argon2id, so dear that a stolen database is hard to guess at, and a wrong password cheap enough to bear.

    32 MiB and three passes on one processor: Django's own 100 MiB on eight took more than 200 ms of processor time,
    and four threads at once more memory than a small machine has.
    """

    time_cost = 3
    memory_cost = 32_768
    parallelism = 1
