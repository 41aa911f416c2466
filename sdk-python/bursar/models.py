"""What the service answers. Money is Decimal, as no float holds 0.10 and sums of floats drift; times have their zone."""
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any, Literal, NamedTuple

Outcome = Literal["APPROVED", "DENIED", "EXPIRED", "CANCELLED"]
Status = Literal[Outcome, "REQUIRES_APPROVAL", "EXECUTING", "EXECUTED", "FAILED"]


@dataclass(frozen=True)
class Violation:
    """One reason for a denial; `limit` and `current` are in USDC where they are amounts."""
    type: str
    message: str
    limit: Decimal | None = None
    current: Decimal | None = None
    policy_id: str | None = None


@dataclass(frozen=True)
class Transaction:
    id: str
    tx_hash: str | None = None
    settlement_mode: Literal["test", "live"] | None = None
    confirmed_at: datetime | None = None


@dataclass(frozen=True)
class Payment:
    """A payment as it was decided on, read or executed; what an answer does not say is None or empty."""
    request_id: str
    status: Status
    amount: Decimal
    currency: str
    recipient_address: str | None = None
    wallet: dict[str, Any] | None = None  # id, address, chain_id, custody_type
    transaction: Transaction | None = None
    reasons: list[str] = field(default_factory=list)
    violations: list[Violation] = field(default_factory=list)
    hint: str | None = None
    nearest: dict[str, Any] | None = None  # of a denial: max_amount_now, earliest_at, approval_would_allow
    denied_by: Literal["PERSON", "POLICY"] | None = None
    approval_request_id: str | None = None
    payment_key: str | None = None
    idempotency_key: str | None = None
    purpose: str | None = None
    reference: str | None = None
    expires_at: datetime | None = None
    created_at: datetime | None = None


class Waited(NamedTuple):
    """What became of a payment that required approval; APPROVED also where it is executed already."""
    outcome: Outcome
    payment: Payment


@dataclass(frozen=True)
class Permit:
    """Lets the agent pay from an external wallet if `approved`; `confirm` takes its `approval_token`."""
    approved: bool
    request_id: str
    status: Status
    approval_id: str | None = None
    approval_token: str | None = None
    approval_request_id: str | None = None
    expires_at: datetime | None = None
    reasons: list[str] = field(default_factory=list)
    violations: list[Violation] = field(default_factory=list)


@dataclass(frozen=True)
class WalletLimits:
    wallet_id: str
    currency: str
    balance: Decimal
    per_payment: Decimal | None
    remaining: dict[str, Decimal | None]  # by day, week and month; None where there is no limit
    open_now: bool
    opens_at: datetime | None = None


@dataclass(frozen=True)
class Limits:
    """What may be spent now; above `approval_above` a person must approve."""
    wallets: list[WalletLimits]
    recipients: Literal["ANY", "LISTED"]
    approval_above: Decimal | None = None


@dataclass(frozen=True)
class WebhookEvent:
    delivery_id: str  # the same at every attempt: ignore a delivery that you have processed
    event: str
    timestamp: datetime
    data: Any  # as docs/events/ describes it, its fractions Decimal
