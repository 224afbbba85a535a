"""Why the broker cannot be used: it is gone, or it refuses CELERY_BROKER_URL, which only a person can mend."""

# By name: each transport has errors of its own, and loads a library for them.
REFUSALS = frozenset({"AccessRefused", "NotAllowed", "AuthenticationError"})


def broker_fault(error: Exception) -> str:
    """What an error of a transport means, without the address: it holds a password."""
    name = type(error.__cause__ or error).__name__
    if name in REFUSALS:
        return f"the broker refuses user, password or virtual host of CELERY_BROKER_URL ({name})"
    return f"the broker is out of reach ({name})"
