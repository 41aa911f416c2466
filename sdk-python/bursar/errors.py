"""The one error that the SDK raises for refusals by the service and failures of the connection."""
from dataclasses import dataclass, field
from typing import Any

from .models import Payment, Violation

# Codes for answers that do not come from the service but, for example, from a proxy.
_BY_STATUS = {
    **{400: "VALIDATION_ERROR", 401: "AUTH_FAILED", 403: "INSUFFICIENT_SCOPE", 404: "NOT_FOUND"},
    **{405: "METHOD_NOT_ALLOWED", 409: "INVALID_STATUS", 413: "PAYLOAD_TOO_LARGE", 415: "UNSUPPORTED_MEDIA_TYPE"},
    **{429: "RATE_LIMITED", 502: "UNAVAILABLE", 503: "UNAVAILABLE", 504: "UNAVAILABLE"},
}
_UNPAID = {
    "DENIED": ("PAYMENT_DENIED", 403, "was denied"),
    "REQUIRES_APPROVAL": ("REQUIRES_APPROVAL", 202, "waits for approval by a person"),
    # The caller has to ask again.
    "EXECUTING": ("TIMEOUT", 0, "is still being executed"),
    "APPROVED": ("TIMEOUT", 0, "is not executed yet"),
    "EXPIRED": ("EXPIRED", 400, "has expired"),
}


@dataclass(eq=False)
class BursarError(Exception):
    """`message` names the remedy; `code` is one of a closed list, which docs/errors.md describes."""
    # All have defaults, without which an exception could not be pickled.
    message: str = ""
    code: str = "INTERNAL_ERROR"
    status: int = 0  # of HTTP; 0 when there was no answer
    hint: str | None = None
    reasons: list[str] = field(default_factory=list)
    details: list[dict[str, str]] = field(default_factory=list)  # the path and message of each invalid field
    violations: list[Violation] = field(default_factory=list)
    request_id: str | None = None  # of the payment if `pay` or `approve` raised, else the X-Request-Id
    payment: Payment | None = None  # as last read, if `pay` raised
    idempotency_key: str | None = None  # `pay` with it continues the payment
    approval_request_id: str | None = None
    retry_after: int | None = None  # seconds

    def __str__(self) -> str:
        return f"{self.message} ({self.code})"


def refusal_of(status: int, body: Any, request_id: str | None, retry_after: int | None) -> BursarError:
    facts: dict[str, Any] = {"status": status, "request_id": request_id, "retry_after": retry_after}
    if not isinstance(body, dict) or not isinstance(body.get("code"), str) or not isinstance(body.get("error"), str):
        message = f"The answer with status {status} is not from the service"
        return BursarError(message, _BY_STATUS.get(status, "INTERNAL_ERROR"), **facts)
    facts |= {name: body[name] for name in ("hint", "reasons", "details") if name in body}
    return BursarError(body["error"], body["code"], approval_request_id=body.get("approvalRequestId"), **facts)


def unpaid(payment: Payment) -> BursarError:
    code, status, how = _UNPAID.get(payment.status, ("INVALID_STATUS", 400, f"is {payment.status}"))
    why = f": {'; '.join(payment.reasons)}" if payment.reasons else ""
    return about(payment, f"The payment {how}{why}", code, status)


def about(payment: Payment | None, message: str, code: str, status: int) -> BursarError:
    names = ("hint", "reasons", "violations", "request_id", "approval_request_id")
    facts = {name: getattr(payment, name) for name in names} if payment else {}
    return BursarError(message, code, status, payment=payment, **facts)
