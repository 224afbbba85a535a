#!/usr/bin/env python3
"""Run a Django command of a checkout: `python manage.py serve`, `migrate`, `check`."""

import sys

from rummy_site.__main__ import manage

if __name__ == "__main__":
    manage(sys.argv)
