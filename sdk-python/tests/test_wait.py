"""`wait` says what became of a payment that requires approval, reads it rarely, and ends at its deadline."""
from typing import Any

from .proxy import AWAY, Answer, network
from .stage import RECIPIENT, Agent, Case, Clock, decide

PENDING: Answer = (200, {}, '{"requestId": "p", "status": "REQUIRES_APPROVAL", "amount": 1, "currency": "USDC"}')
CUT = "cut before"


class Waiting(Case):
    def test_it_tells_apart_what_becomes_of_a_payment(self) -> None:
        for decision in ("APPROVED", "DENIED", "CANCELLED"):
            bursar = Agent(delegationType="PREAPPROVED").client()
            error = self.raised(lambda: bursar.pay(amount=7, recipient=RECIPIENT), "REQUIRES_APPROVAL")
            assert error.request_id
            pending = self.raised(lambda: bursar.wait(error.request_id or "", timeout=0), "REQUIRES_APPROVAL")
            self.assertEqual(pending.approval_request_id, error.approval_request_id)
            if decision == "CANCELLED":
                bursar.cancel(error.request_id)
            else:
                decide(error, decision)
            self.assertEqual(bursar.wait(error.request_id).outcome, decision)

    def waited(self, timeout: float, *answers: Any) -> tuple[list[float], Any]:
        clock = Clock()
        with network(*answers) as net:
            bursar = Agent().client(net.url, now=clock.now, sleep=clock.sleep)
            return clock.slept, self.raised(lambda: bursar.wait("p", timeout), answers[-1][1]["X-Ends"])

    def test_it_reads_after_1_2_4_8_and_then_every_10_seconds_and_once_more_at_the_deadline(self) -> None:
        end = (PENDING[0], {"X-Ends": "REQUIRES_APPROVAL"}, PENDING[2])
        slept, error = self.waited(40, *[PENDING] * 7, end)
        self.assertEqual(slept, [1, 2, 4, 8, 10, 10, 5])
        self.assertEqual(error.request_id, "p")

    def test_a_reading_that_fails_is_repeated_within_the_deadline(self) -> None:
        late = (429, {"Retry-After": "20"}, "slow down")
        over = (429, {"Retry-After": "30", "X-Ends": "RATE_LIMITED"}, "slow down")
        slept, error = self.waited(50, AWAY, late, CUT, over)
        self.assertEqual((slept, error.retry_after), ([0, 20, 4], 30))
