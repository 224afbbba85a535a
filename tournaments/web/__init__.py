"""Web interfaces: back office, API, public pages and the static copy of them."""
