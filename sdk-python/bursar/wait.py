"""Waits until a payment that requires approval is decided on, by reading it again and again. It executes nothing."""
from itertools import count

from .errors import BursarError, unpaid
from .models import Outcome, Waited
from .pay import Paying
from .retry import wait_before

# Seconds, so that the reading at the deadline can have an answer.
_SHORTEST_READING = 1.0
# What is being executed, or was, has been approved.
_ENDS: dict[str, Outcome] = {"DENIED": "DENIED", "EXPIRED": "EXPIRED", "CANCELLED": "CANCELLED"}


class Waiting(Paying):
    def wait(self, request_id: str, timeout: float = 600) -> Waited:
        """Waits, at most `timeout` seconds, until a payment is approved, denied, expired or cancelled, as `outcome` says.
        Raises REQUIRES_APPROVAL if it still waits then. After APPROVED, `pay` with the same `payment_key`."""
        deadline = self.now() + timeout
        for turn in count():
            limit = min(self.timeout, max(_SHORTEST_READING, deadline - self.now()))
            try:
                # The loop itself retries, within its deadline.
                seen = self.payment_status(request_id, timeout=limit, max_retries=0)
                if seen.status != "REQUIRES_APPROVAL":
                    return Waited(_ENDS.get(seen.status, "APPROVED"), seen)
                error, pause = unpaid(seen), wait_before(turn, turn + 1, 503)
            except BursarError as failed:
                # A reading that had no answer may be repeated, other than a payment.
                error, pause = failed, wait_before(turn, turn + 1, failed.status or 503, failed.retry_after)
            left = deadline - self.now()
            # A refusal says itself when to come back: reading earlier would only be refused again.
            if pause is None or left <= 0 or (pause > left and error.code != "REQUIRES_APPROVAL"):
                raise error
            self.sleep(min(pause, left))
        raise AssertionError
