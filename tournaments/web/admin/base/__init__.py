"""Shared by all back office pages: requests, form fields, permissions."""
