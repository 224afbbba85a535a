"""Running the site: processes, backups, health and the doctor."""
