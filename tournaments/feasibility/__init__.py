"""Whether a plan can be played out: it is tried from check-in to the last prize, at one number of players or several.

Rules: docs/decisions/0050-a-plan-is-rehearsed.md. Pure: knows no database, no clock and no page.
"""
