"""`manage.py messages`: update the catalogs of all languages from the pages; `--check` changes nothing."""

from django.core.management.base import BaseCommand, CommandError, CommandParser

from rummy_site.catalogues import faults, gathered, is_current, languages, renewed, untranslated, word_faults, write
from rummy_site.environment import IS_INSTALLED

SHOWN = 20


class Command(BaseCommand):
    """Gathers every message, keeps the translations, and lists what is not translated."""

    help = "Gather what the pages say into the catalog of each language, and compile it."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add `--check`."""
        parser.add_argument("--check", action="store_true", help="change nothing; fail where a catalog is behind")

    def handle(self, *args: object, **options: object) -> None:
        """Name what has no translation; with --check fail for it, and where a file would change."""
        if IS_INSTALLED:
            raise CommandError("translations are edited in a checkout; an installed package has only compiled ones")
        gathered_catalog = gathered()
        wrong = [*faults(), *word_faults(gathered_catalog)]
        for language in languages():
            catalog = renewed(language, gathered_catalog)
            if options["check"]:
                wrong += [] if is_current(language, catalog) else [f"{language}: the catalog is behind its messages"]
            else:
                write(language, catalog)
            missing = untranslated(catalog)
            self.stdout.write(f"{language}: {len(catalog)} messages, {len(missing)} without a translation")
            untold = [f"{language}: nothing for {message.id!r}" for message in missing[:SHOWN]]
            if options["check"]:
                wrong += untold
            else:
                self.stderr.writelines(f"{line}\n" for line in untold)
        if wrong:
            raise CommandError("\n".join(wrong))
