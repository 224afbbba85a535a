"""What whoever runs the site does: processes, backups, health and the doctor."""
