"""A finished tournament as a folder of plain HTML that any web host serves, and that opens from a disk.

Rules: docs/how-to/publishing.md, "Download a website". The pages are those of the site, asked for as any visitor asks,
with other links in them. Knows no page by name that it need not leave out: whatever the board leads to comes along.
"""

from tournaments.web.static_site.exporting import ExportRefused, FolderTaken, Wishes, exported, keep_folder, keep_zip
from tournaments.web.static_site.rewriting import File, UnsafeName

__all__ = ["ExportRefused", "File", "FolderTaken", "UnsafeName", "Wishes", "exported", "keep_folder", "keep_zip"]
