"""A club in a box: one file with everything that is the club's, which another installation takes in.

`contents` lists what is in it, `packing` writes it, `checking` reads it without trusting anything, `arriving` stores
it, `keeping` writes one after each tournament. Why so: docs/decisions/0087-a-club-in-a-box.md; how to:
docs/how-to/moving.md.
"""
