"""What tests are built with: clubs, tables and tournaments in the words of the game, and readers of what they give."""
