"""The address of a row's form in the back office."""

from typing import Any

from django.urls import reverse


def change_url(name: str, row: Any) -> str:
    return reverse(f"admin:{name}_change", args=[row.pk])
