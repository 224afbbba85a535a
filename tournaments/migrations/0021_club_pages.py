"""What a club says of itself on its page: a few lines, where it plays, and how it is reached."""

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0020_seasons")]

    operations = [
        migrations.AddField(
            model_name="club",
            name="about",
            field=models.TextField(
                blank=True,
                default="",
                max_length=2000,
                help_text="A few lines for visitors of the club's page; an empty line begins a paragraph",
            ),
        ),
        migrations.AddField(
            model_name="club",
            name="venue",
            field=models.CharField(
                "where it plays",
                max_length=200,
                blank=True,
                default="",
                help_text="The address, as on a letter, in one line",
            ),
        ),
        migrations.AddField(
            model_name="club",
            name="website",
            field=models.URLField(
                "web page or contact",
                blank=True,
                default="",
                validators=[django.core.validators.URLValidator(schemes=["https", "http"])],
                help_text="A full address that begins with https://",
            ),
        ),
    ]
