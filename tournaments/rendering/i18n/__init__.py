"""The language of a page: its dates and digits, and what the lower floors say in English said again in it."""
