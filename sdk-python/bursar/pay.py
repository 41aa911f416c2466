"""Pays exactly once: requests and executes a payment. If an answer is lost, it reads the payment before it sends anything
again. Every repetition carries the idempotency key or names the payment, so it cannot make a second one."""
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import count
from typing import Any

from .decode import Amount, exact
from .errors import BursarError, about, unpaid
from .models import Payment
from .retry import wait_before
from .send import Service

# The payment may have been made. NO_OWNER: the last attempt did nothing; one before it may have had no answer.
_UNCERTAIN = {"TIMEOUT", "INTERNAL_ERROR", "UNAVAILABLE", "NO_OWNER", "ALREADY_EXECUTED"}
Look = Callable[[], list[Payment]]


class Paying(Service):
    def pay(self, *, amount: Amount, recipient: str, payment_key: str | None = None, **details: Any) -> Payment:
        """Requests a payment and executes it. `payment_key` (the invoice or order number) names the purchase: however
        often it is paid, also after a crash, a denial or an expiry, it is paid once. Without one, retry with the
        `idempotency_key` of the error. Raises PAYMENT_DENIED, REQUIRES_APPROVAL, or TIMEOUT: the outcome is unknown.
        `details` are other fields of the API: idempotency_key, purpose, category, reference, wallet_id …"""
        own_key = details.get("idempotency_key")
        key = details["idempotency_key"] = own_key or self.new_key()
        ask = partial(self.request, amount=amount, recipient=recipient, payment_key=payment_key, **details)
        try:
            # Only the service can tell whether what it has stored under this key is this request.
            payment = self._persist(ask, lambda: self.list_payments(idempotency_key=key))
            if own_key is not None and payment.status == "REQUIRES_APPROVAL":
                # A repeated key gets its first answer again. A person may have decided since.
                with suppress(BursarError):
                    payment = self.payment_status(payment.request_id)
            if payment.status == "APPROVED":
                return self._execute(payment)
            if payment.status not in ("DENIED", "REQUIRES_APPROVAL"):
                # An attempt at the purchase that an earlier call has executed, or is executing.
                payment = self.payment_status(payment.request_id)
            if not _is_executed(payment):
                raise unpaid(payment)
            return payment
        except BursarError as error:
            # Only this call knows a random key, and the payment can be continued only under that key.
            error.idempotency_key = key
            raise

    def request(self, *, amount: Amount, recipient: str, payment_key: str | None = None, **details: Any) -> Payment:
        """Requests a payment without executing it. A denial is an answer (`status` DENIED), not an error."""
        body = purchase(amount, recipient, payment_key, details)
        return self.call(Payment, "POST /api/sdk/payments/request", body, key=details.get("idempotency_key"))

    def execute(self, request_id: str, idempotency_key: str | None = None) -> Payment:
        """Executes an approved payment, once. After a TIMEOUT, read its status before you call this again."""
        route = "POST /api/sdk/payments/{id}/execute"
        return self.call(Payment, route, id=request_id, key=idempotency_key, part=with_transaction)

    def payment_status(self, request_id: str, **options: Any) -> Payment:
        return self.call(Payment, "GET /api/sdk/payments/{id}", id=request_id, **options)

    def list_payments(self, **query: Any) -> list[Payment]:
        """The newest first; by `payment_key`, `status`, `reference` … `limit` and `offset` choose the page."""
        return self.call(list[Payment], "GET /api/sdk/payments", query, part=lambda page: page["payments"])

    def _execute(self, payment: Payment) -> Payment:
        key = self.new_key()

        def send() -> Payment:
            try:
                return self.execute(payment.request_id, key)
            except BursarError as refusal:
                if refusal.code in _UNCERTAIN:
                    raise
                refusal.payment = payment
                # The reading must neither hide the refusal by its own failure nor hold it back by retries.
                with suppress(BursarError):
                    refusal.payment = self.payment_status(payment.request_id, max_retries=0)
                if refusal.payment.status != "EXECUTED":
                    raise
                # By an earlier sending.
                return refusal.payment

        return self._persist(send, lambda: [self.payment_status(payment.request_id)], payment)

    def _persist(self, send: Callable[[], Payment], look: Look, approved: Payment | None = None) -> Payment:
        """Sends. After an uncertain outcome it looks for the payment, and sends again if it may. `approved` is the
        payment to execute; without one it sends the request for it."""
        last = self.max_retries
        for turn in count():
            try:
                return send()
            except BursarError as error:
                if error.code not in _UNCERTAIN:
                    raise
                uncertain = error
            found = self._look(look, approved)
            if approved and _is_executed(found[0]):
                return found[0]
            # A 5xx has used up its retries, a lost answer has not been retried. Either may still be carried out.
            is_lost = uncertain.code == "TIMEOUT"
            # The one further round retries as often again.
            last = last if is_lost else min(last, turn + 1)
            # Sending the request for a recorded payment again only returns or refuses what was found.
            is_recorded = approved is None and len(found) > 0
            if turn >= last or not (is_lost or is_recorded):
                raise _unknown(uncertain, approved) if approved else uncertain
        raise AssertionError

    def _look(self, look: Look, payment: Payment | None, turn: int = 0) -> list[Payment]:
        """Retries until it has an answer. If it gets none, the outcome is unknown."""
        try:
            return look()
        except BursarError as error:
            wait = wait_before(turn, self.max_retries, error.status or 500) if error.code in _UNCERTAIN else None
            if wait is None:
                raise _unknown(error, payment) from error
        self.sleep(wait)
        return self._look(look, payment, turn + 1)


def purchase(amount: Amount, recipient: str, payment_key: str | None, details: dict[str, Any]) -> dict[str, Any]:
    return {**details, "amount": exact(amount), "recipient_address": recipient, "payment_key": payment_key}


def with_transaction(answer: dict[str, Any]) -> dict[str, Any]:
    """The answer has the fields of the transaction beside those of the payment."""
    return {**answer, "transaction": {**answer, "id": answer["transactionId"]}}


def _is_executed(payment: Payment) -> bool:
    """False while it can still be executed. Raises if it cannot be. What a card has paid is no transfer."""
    if payment.status == "APPROVED":
        return False
    if payment.status != "EXECUTED" or payment.transaction is None or payment.recipient_address is None:
        raise unpaid(payment)
    return True


def _unknown(cause: BursarError, payment: Payment | None) -> BursarError:
    remedy = "call pay again with the same payment_key, or this error's idempotency_key"
    error = about(payment, f"It is unknown whether it was paid: {remedy} ({cause.message})", "TIMEOUT", 0)
    error.__cause__ = cause
    return error
