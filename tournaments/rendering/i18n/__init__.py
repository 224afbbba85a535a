"""The language of a page: dates, digits, and translations of the messages that lower layers return in English."""
