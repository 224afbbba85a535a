"""kombu's AMQP, but a broker that refuses the login or the virtual host is tried again, like one that is gone.

kombu takes such a refusal for the end: the worker would end too, and settle nothing, though settling needs no broker.
"""

from amqp.exceptions import AccessRefused, NotAllowed
from kombu.transport import pyamqp

REFUSALS = (AccessRefused, NotAllowed)


class Transport(pyamqp.Transport):
    """For amqp://."""

    connection_errors = (*pyamqp.Transport.connection_errors, *REFUSALS)
    recoverable_connection_errors = (*pyamqp.Transport.recoverable_connection_errors, *REFUSALS)


class SSLTransport(pyamqp.SSLTransport):
    """For amqps://."""

    connection_errors = Transport.connection_errors
    recoverable_connection_errors = Transport.recoverable_connection_errors
