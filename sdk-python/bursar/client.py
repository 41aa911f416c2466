"""The client for agents: requests, executes and reads the agent's own payments."""
from .models import Limits, Payment
from .permit import Permitting
from .wait import Waiting


class Bursar(Waiting, Permitting):
    """Calls the service as one agent, with its key. Amounts are USDC. Methods raise BursarError. Threads may share it.
    Routes without a method: `bursar.call(dict, "GET /api/sdk/setup")` answers their JSON, its fractions as Decimal."""

    def cancel(self, request_id: str) -> Payment:
        return self.call(Payment, "POST /api/sdk/payments/{id}/cancel", id=request_id)

    def limits(self) -> Limits:
        """What may be spent now, for each wallet: the smaller of what delegation and policies leave."""
        return self.call(Limits, "GET /api/sdk/limits")

    def __enter__(self) -> "Bursar":
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()
