"""The permit to pay from an external wallet. Only the first answer contains its token: if that was lost, a repetition
under the same idempotency key reports the permit without the token."""
from dataclasses import replace
from typing import Any

from .decode import Amount
from .errors import BursarError
from .models import Permit, Transaction
from .pay import purchase, with_transaction
from .send import Service


class Permitting(Service):
    def approve(
        self, *, amount: Amount, recipient: str, sender: str, chain_id: str, payment_key: str | None = None, **details: Any
    ) -> Permit:
        """The permit for a new payment from an external wallet, with its token if it is approved."""
        sent_from = {"sender_address": sender, "chain_id": chain_id}
        body = purchase(amount, recipient, payment_key, {**details, **sent_from})
        key = details.get("idempotency_key")
        return self._with_token(self.call(Permit, "POST /api/sdk/payments/approve", body, key=key))

    def approve_requested(self, request_id: str) -> Permit:
        """The permit for an approved payment, also where its token was lost."""
        return self._with_token(self._permit(request_id))

    def confirm(self, approval_id: str, tx_hash: str, approval_token: str) -> Transaction:
        """Confirms that a permitted payment was made. Raises NOT_CONFIRMED while its transfer is not deep enough."""
        body = {"tx_hash": tx_hash, "approval_token": approval_token}
        route = "POST /api/sdk/payments/{id}/confirm"
        return self.call(Transaction, route, body, id=approval_id, part=lambda told: with_transaction(told)["transaction"])

    def _permit(self, request_id: str) -> Permit:
        return self.call(Permit, "POST /api/sdk/payments/{id}/approve", id=request_id)

    def _with_token(self, permit: Permit) -> Permit:
        """Asks again under a new key each time: no answer without the token is recorded for it."""
        refused = BursarError("call approve_requested with this id", "TIMEOUT")
        try:
            for _ in range(self.max_retries + 1):
                if permit.approved and permit.approval_token is None:
                    permit = self._permit(permit.request_id)
        except BursarError as error:
            refused = error
        if not permit.approved or permit.approval_token is not None:
            return permit
        lost = f"The payment {permit.request_id} is permitted, but the answer with its token was lost"
        raise replace(refused, message=f"{lost}: {refused.message}", request_id=permit.request_id) from refused
