from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0010_cash_books'),
    ]

    operations = [
        migrations.AddField(
            model_name='tournament',
            name='is_cancelled',
            field=models.BooleanField(default=False, editable=False, help_text='Given up: closed, and nothing is owed'),
        ),
    ]
