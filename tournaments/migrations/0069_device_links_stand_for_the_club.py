"""Device links stand for the club, and no longer for the role that their maker has now.

Links that did nothing any more, because their maker had lost the role or the login, are revoked: they must not begin to
work again.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.utils.timezone import now

# The roles of links that a maker with a role covered until now.
COVERED = {
    'owner': {'owner', 'director', 'scorer', 'cashier', 'checkin', 'auditor', 'display'},
    'director': {'director', 'scorer', 'cashier', 'checkin', 'auditor', 'display'},
    'scorer': {'scorer', 'display'},
    'cashier': {'cashier', 'auditor', 'display'},
    'checkin': {'checkin', 'display'},
    'auditor': {'auditor', 'display'},
    'display': {'display'},
}


def revoke_what_does_nothing(apps, schema_editor):
    memberships = apps.get_model('tournaments', 'Membership').objects.using(schema_editor.connection.alias)
    tokens = apps.get_model('tournaments', 'ApiToken').objects.using(schema_editor.connection.alias)
    roles = {(club, user): role for club, user, role in memberships.values_list('club_id', 'user_id', 'role')}
    for token in tokens.filter(revoked_at__isnull=True).select_related('user'):
        role = roles.get((token.club_id, token.user_id), '')
        is_covered = token.user.is_superuser or token.role in COVERED.get(role, set())
        if not (token.user.is_active and is_covered):
            tokens.filter(pk=token.pk).update(revoked_at=now())


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0068_imported_balances'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunPython(revoke_what_does_nothing, migrations.RunPython.noop),
        migrations.AddField(
            model_name='apitoken',
            name='ended_with_password',
            field=models.BooleanField(db_default=False, default=False, help_text='Revoked because its maker has a new password'),
        ),
        migrations.AddField(
            model_name='apitoken',
            name='made_with',
            field=models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='has_made', to='tournaments.apitoken'),
        ),
        migrations.AlterField(
            model_name='apitoken',
            name='user',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='tokens', to=settings.AUTH_USER_MODEL, verbose_name='made by'),
        ),
    ]
