from django.db import migrations


class Migration(migrations.Migration):
    """On SQLite ids are bytes from here on. `rummy_site.sqlite` has turned them before this is reached.

    So that no code that writes bytes serves a file that still holds digits: a migration that waits stops it.
    """

    dependencies = [("tournaments", "0045_indexes_that_others_serve")]
    operations = []
