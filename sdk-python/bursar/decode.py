"""Turns the JSON of the service into dataclasses, and what a caller gives into the names of the API."""
import json
import re
from collections.abc import Callable
from dataclasses import is_dataclass
from datetime import datetime
from decimal import Decimal
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

Amount = Decimal | int | str
# What `decode` raises for JSON of another shape.
MALFORMED = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError)
_hints: Callable[[Any], dict[str, Any]] = cache(get_type_hints)


def parse(text: bytes) -> Any:
    """JSON whose fractions are Decimal, never float; None if it is no JSON."""
    try:
        return json.loads(text, parse_float=Decimal)
    except ValueError:
        return None


def decode(kind: Any, value: Any) -> Any:
    """The value as this type. A dataclass takes the fields that it knows; those of later versions are ignored."""
    origin, inner = get_origin(kind), get_args(kind)
    if value is None or kind is Any:
        return value
    if type(None) in inner:
        return decode(inner[0], value)
    if origin is list:
        return [decode(inner[0], item) for item in value]
    if origin is dict:
        return {_snake(name): decode(inner[1], item) for name, item in value.items()}
    if kind is Decimal:
        return Decimal(value)
    if kind is datetime:
        return datetime.fromisoformat(value)
    if not is_dataclass(kind):
        return value
    given = {_snake(name): item for name, item in value.items()}
    return kind(**{name: decode(its, given[name]) for name, its in _hints(kind).items() if name in given})


def _snake(name: str) -> str:
    return re.sub("([A-Z])", r"_\1", name).lower()


def named(given: dict[str, Any]) -> dict[str, Any]:
    """By the API's names: payment_key becomes paymentKey. What is None is left out."""
    kept = {name: value for name, value in given.items() if value is not None}
    return {re.sub("_([a-z])", lambda found: found[1].upper(), name): value for name, value in kept.items()}


def exact(amount: Any) -> str:
    """As decimal text, which the service reads exactly. A float is refused: it is rarely the amount that it shows."""
    if isinstance(amount, bool) or not isinstance(amount, (Decimal, int, str)):
        raise TypeError(f"an amount must be a Decimal, an int or decimal text, not {amount!r}")
    return format(amount, "f") if isinstance(amount, Decimal) else str(amount)
