"""The example club, as `manage.py demo_data` loads it."""

from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from django.core.management import call_command
from django.test import override_settings


def load_demo() -> str:
    """Load the example club; returns the output of the command."""
    output = StringIO()
    call_command("demo_data", stdout=output)
    return output.getvalue()


def demo_with_files() -> tuple[str, dict[str, tuple[int, bytes]]]:
    """The same, and the mode and content of each file that it wrote into the folder of the site."""
    with TemporaryDirectory() as folder, override_settings(VAR_DIR=Path(folder)):
        output = load_demo()
        files = {
            str(path.relative_to(folder)): (path.stat().st_mode & 0o777, path.read_bytes())
            for path in sorted(Path(folder).rglob("*"))
            if path.is_file()
        }
    return output, files
