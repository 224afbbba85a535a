"""The web process for ASGI servers. We run and measure WSGI; this is for hosts that offer nothing else."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rummy_site.settings")
os.environ.setdefault("PROCESS_KIND", "web")

from django.core.asgi import get_asgi_application

from rummy_site.database import refuse_forgetful_database
from rummy_site.database_release import refuse_newer_database
from rummy_site.startup import keep_to_owner, refuse_closed_database

keep_to_owner()
application = get_asgi_application()
refuse_forgetful_database()
refuse_closed_database()
refuse_newer_database()
