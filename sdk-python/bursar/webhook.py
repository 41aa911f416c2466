"""Verifies that a delivery comes from the service, is unchanged and recent, and parses it. It needs the received bytes:
a body that was parsed and serialized again is not what was signed."""
import base64
import hmac
import re
import time
from collections.abc import Mapping

from .decode import MALFORMED, decode, parse
from .errors import BursarError
from .models import WebhookEvent


def verify_webhook(
    body: bytes | str, headers: Mapping[str, str], secret: str, tolerance: float = 300, now: float | None = None
) -> WebhookEvent:
    """`tolerance` is in seconds, `now` in seconds of the epoch. Raises BursarError: AUTH_FAILED (401) if no signature is
    valid, EXPIRED (400) if the delivery is too old or too far ahead, INVALID_JSON (400) if the signed body is no event.
    Raises ValueError for an empty secret."""
    raw = body.encode() if isinstance(body, str) else body
    sent = {name.lower(): value for name, value in headers.items()}
    signed_at = _standard_time(raw, sent, secret)
    if signed_at is None and not _is_signed(raw, sent, secret):
        raise BursarError("No signature of the delivery matches this secret and this body", "AUTH_FAILED", 401)
    try:
        event: WebhookEvent = decode(WebhookEvent, parse(raw) or [])
    except MALFORMED as cause:
        raise BursarError("The delivery is signed but not an event", "INVALID_JSON", 400) from cause
    # Only signed times count: the attempt's if it is signed, else the event's.
    at = event.timestamp.timestamp() if signed_at is None else signed_at
    if abs((time.time() if now is None else now) - at) > tolerance:
        raise BursarError("The delivery was sent too far from now to be accepted", "EXPIRED", 400)
    return event


def _is_signed(raw: bytes, sent: Mapping[str, str], secret: str) -> bool:
    """By `X-Service-Signature` or, while a secret is being rotated, the previous one: of the body alone."""
    given = [sent.get(name, "") for name in ("x-service-signature", "x-service-signature-previous")]
    return _is_among(_mac(secret.encode(), raw).hex(), given)


def _standard_time(raw: bytes, sent: Mapping[str, str], secret: str) -> int | None:
    """The time of the attempt, if a signature of Standard Webhooks (of id, time and body) is valid."""
    delivery, seconds = sent.get("webhook-id", ""), sent.get("webhook-timestamp", "")
    if not secret.startswith("whsec_") or not delivery or not re.fullmatch("[0-9]{1,12}", seconds):
        return None
    mac = _mac(base64.b64decode(secret[6:]), f"{delivery}.{seconds}.".encode() + raw)
    given = sent.get("webhook-signature", "").split(" ")[:10]
    return int(seconds) if _is_among(f"v1,{base64.b64encode(mac).decode()}", given) else None


def _mac(key: bytes, data: bytes) -> bytes:
    if not key:
        raise ValueError("The webhook secret is empty: anybody could sign with it")
    return hmac.digest(key, data, "sha256")


def _is_among(expected: str, given: list[str]) -> bool:
    """Compares in constant time."""
    return any([hmac.compare_digest(expected.encode(), one.encode()) for one in given])
