"""The order of an evening: results, places, ties and cuts."""
