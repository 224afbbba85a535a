"""Slugs of clubs that differ only in capitals are the same slug, so that no two clubs have addresses that look alike.

Of such slugs a current one stays, and of the oldest club. A younger club that has it too gets a number behind its own;
the common address then leads to the older club. Going back changes no slug.
"""

from itertools import count

from django.db import migrations, models
from django.db.models.functions import Lower


def one_for_all_capitals(apps, schema_editor):
    alias = schema_editor.connection.alias
    clubs = apps.get_model("tournaments", "Club").objects.using(alias)
    slugs = apps.get_model("tournaments", "ClubSlug").objects.using(alias)
    owners: dict[str, object] = {}
    rows = slugs.select_related("club").order_by("club__created_at", "club_id", "slug")
    for row in sorted(rows, key=lambda row: row.slug != row.club.slug):
        folded = row.slug.lower()
        if folded not in owners:
            owners[folded] = row.club_id
            continue
        slugs.filter(pk=row.pk).delete()
        if row.slug == row.club.slug and owners[folded] != row.club_id:
            taken = {slug.lower() for slug in slugs.values_list("slug", flat=True)}
            numbered = (f"{row.slug[:55]}-{number}" for number in count(2))
            slug = next(slug for slug in numbered if slug.lower() not in taken)
            clubs.filter(pk=row.club_id).update(slug=slug)
            slugs.create(slug=slug, club_id=row.club_id)
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0049_keys_and_moments_as_numbers")]

    operations = [
        migrations.RunPython(one_for_all_capitals, migrations.RunPython.noop),
        migrations.AddConstraint(
            "clubslug", models.UniqueConstraint(Lower("slug"), name="clubslug_once")
        ),
    ]
