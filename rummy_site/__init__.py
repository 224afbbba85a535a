"""The site: settings, addresses, the Celery app and the processes that serve a club's tournament."""

# The version is defined here alone: the package, /healthz and the description of the API read it here.
__version__ = "0.1.0"
