"""The rules themselves, as pure functions: no database, no clock, no settings, no randomness but a seed's.

Cards and chance come first, then arrangements, hands, tables of any game, and the games in `variants`.
"""
