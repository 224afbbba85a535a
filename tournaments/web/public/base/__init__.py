"""What the public pages share: tags, parts that are swapped, files, words."""
