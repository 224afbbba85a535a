"""The web process as `manage.py serve` runs it, loaded by granian with `--interface rsgi`.

Bodies are read before a thread is taken, and writers have threads of their own: docs/decisions/0029.
"""

# The first of these loads the apps, which those below need.
from rummy_site import wsgi
from rummy_site.environment import count
from rummy_site.server.reception import MOST_CONNECTIONS, Pool, Pools, Reception, refuse
from rummy_site.server.requests import LIMITS, MOST_WAITING_WRITERS

POOLS = Pools(
    readers=Pool("reader", threads=count("WEB_THREADS"), most_waiting=MOST_CONNECTIONS),
    writers=Pool("writer", threads=count("WEB_WRITER_THREADS"), most_waiting=MOST_WAITING_WRITERS),
)

application = Reception(wsgi.application, refuse, limits=LIMITS, pools=POOLS)
