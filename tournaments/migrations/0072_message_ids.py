"""The id of a message is stored with it, for it is no longer made of its position alone.

What waits keeps the id under which it may have been sent already.
"""

import django.db.models.functions.text
import django.db.models.lookups
from django.db import migrations, models
from django.db.models import Value
from django.db.models.functions import Cast, Concat


def keep_ids(apps, schema_editor):
    alias = schema_editor.connection.alias
    deliveries = apps.get_model('tournaments', 'Delivery').objects.using(alias)
    for receiver in apps.get_model('tournaments', 'Receiver').objects.using(alias):
        position, number = (Cast(name, models.CharField()) for name in ('position', 'number'))
        message_id = Concat(Value(f'msg_{receiver.club_id.hex}_'), position, Value('_'), number)
        deliveries.filter(receiver=receiver).update(message_id=message_id)


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0071_past_tournaments_of_seasons'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='delivery',
            name='delivery_texts_fit',
        ),
        migrations.AddField(
            model_name='delivery',
            name='message_id',
            field=models.CharField(default='', help_text='By it receivers know what they have already', max_length=80),
            preserve_default=False,
        ),
        migrations.RunPython(keep_ids, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name='delivery',
            constraint=models.CheckConstraint(condition=models.Q(django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('message_id'), 80), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('body'), 1000000), django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('answer'), 300)), name='delivery_texts_fit'),
        ),
    ]
