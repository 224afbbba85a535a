"""What the pages of the back office share: requests, fields, permissions."""
