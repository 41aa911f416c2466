"""`pay` pays exactly once, whatever the network does, and reports the outcome."""
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from itertools import product
from typing import Any

from .proxy import AWAY, FORBIDDEN, Fault, network
from .stage import RECIPIENT, Agent, Case, Clock, decide

SEVEN: dict[str, Any] = {"amount": 7, "recipient": RECIPIENT}
FAULTS = ("none", "unavailable", "cut", "cut before")


class Paying(Case):
    def test_a_payment_is_approved_and_executed(self) -> None:
        agent = Agent()
        paid = agent.client().pay(amount=Decimal("12.500001"), recipient=RECIPIENT, payment_key="a", purpose="Paper")
        self.assertEqual((paid.status, paid.amount, paid.payment_key), ("EXECUTED", Decimal("12.500001"), "a"))
        assert paid.transaction and paid.wallet
        self.assertEqual(paid.transaction.settlement_mode, "test")
        seen = agent.client().payment_status(paid.request_id)
        self.assertEqual((seen.status, seen.purpose, seen.amount), ("EXECUTED", "Paper", paid.amount))
        assert seen.transaction and seen.created_at
        self.assertEqual(seen.transaction.id, paid.transaction.id)
        self.assertIsNotNone(seen.created_at.tzinfo)
        self.assertEqual(agent.balance(), 87.499999)

    def test_a_denial_has_its_reasons_violations_and_hint(self) -> None:
        bursar = Agent(spendLimitPerTx=5).client()
        error = self.raised(lambda: bursar.pay(**SEVEN), "PAYMENT_DENIED")
        self.assertEqual(error.status, 403)
        self.assertEqual(error.reasons, ["7 is above the limit of 5 per payment"])
        self.assertIn(error.reasons[0], error.message)
        self.assertEqual((error.violations[0].type, error.violations[0].limit), ("PER_TX_LIMIT", Decimal(5)))
        assert error.payment and error.payment.nearest and error.hint
        self.assertEqual(error.payment.nearest["max_amount_now"], Decimal(5))
        self.assertEqual(error.request_id, error.payment.request_id)
        self.assertEqual(bursar.request(**SEVEN).status, "DENIED")

    def test_what_requires_approval_is_paid_after_it_and_not_after_a_denial(self) -> None:
        for decision, name in product(("APPROVED", "DENIED"), ("payment_key", "idempotency_key")):
            agent = Agent(delegationType="PREAPPROVED")
            bursar = agent.client()
            purchase = {**SEVEN, name: "order"}
            error = self.raised(lambda: bursar.pay(**purchase), "REQUIRES_APPROVAL")
            self.assertEqual(error.status, 202)
            self.assertEqual(self.raised(lambda: bursar.pay(**purchase), error.code).request_id, error.request_id)
            decide(error, decision)
            outcome, payment = bursar.wait(error.request_id or "")
            self.assertEqual((outcome, payment.request_id), (decision, error.request_id))
            if decision == "APPROVED":
                self.assertEqual(bursar.pay(**purchase).request_id, error.request_id)
                self.assertEqual(agent.balance(), 93)
            else:
                self.assertEqual((payment.denied_by, agent.balance()), ("PERSON", 100))

    def test_threads_that_pay_one_purchase_pay_it_once(self) -> None:
        agent = Agent()
        bursar = agent.client()
        with ThreadPoolExecutor(8) as threads:
            paid = list(threads.map(lambda _: bursar.pay(**SEVEN, payment_key="invoice-17"), range(8)))
        self.assertEqual(len({payment.request_id for payment in paid}), 1)
        self.assertEqual({payment.status for payment in paid}, {"EXECUTED"})
        self.assertEqual(agent.balance(), 93)

    def test_it_is_paid_once_whichever_requests_or_answers_are_lost(self) -> None:
        def pay(faults: tuple[str, ...]) -> None:
            agent = Agent()
            with network(*faults) as net:
                paid = agent.client(net.url).pay(**SEVEN)
            self.assertEqual((paid.status, agent.balance()), ("EXECUTED", 93), faults)
            self.assertEqual([one.request_id for one in agent.client().list_payments()], [paid.request_id], faults)

        with ThreadPoolExecutor(16) as threads:
            list(threads.map(pay, [(first, second, "none", first) for first in FAULTS for second in FAULTS]))

    def test_after_a_lost_answer_it_reads_the_status_before_it_executes_again(self) -> None:
        agent = Agent()
        with network("none", "cut before") as net:
            agent.client(net.url).pay(**SEVEN)
        at, execution = "/api/sdk/payments", "POST /api/sdk/payments/ID/execute"
        self.assertEqual([one.name for one in net.sent], [f"POST {at}/request", execution, f"GET {at}/ID", execution])
        self.assertEqual(len(net.keys()), 2)

    def test_answers_that_stay_lost_are_a_timeout_with_the_key_to_call_again_with(self) -> None:
        lost: list[tuple[Fault, ...]] = [("none", "cut", AWAY), ("none", AWAY, "none"), ("cut", "none", "cut")]
        for faults in lost:
            agent = Agent()
            with network(*faults) as net:
                error = self.raised(lambda: agent.client(net.url, max_retries=0).pay(**SEVEN), "TIMEOUT")
            self.assertEqual((error.status, error.idempotency_key in net.keys()), (0, True), faults)
            paid = agent.client().pay(**SEVEN, idempotency_key=error.idempotency_key)
            self.assertEqual((paid.status, agent.balance()), ("EXECUTED", 93), faults)

    def test_a_recorded_request_that_only_gets_5xx_is_sent_in_one_further_round(self) -> None:
        clock = Clock()
        one_round = ("unavailable", AWAY, AWAY, "none")
        with network(*one_round, *one_round, *one_round) as net:
            bursar = Agent().client(net.url, max_retries=2, sleep=clock.sleep)
            self.raised(lambda: bursar.pay(**SEVEN), "UNAVAILABLE")
        self.assertEqual(len([one for one in net.sent if one.method == "POST"]), 6)

    def test_an_execution_that_was_made_and_then_refused_is_returned(self) -> None:
        agent = Agent()
        with network("none", "unavailable", FORBIDDEN) as net:
            self.assertEqual(agent.client(net.url, max_retries=1).pay(**SEVEN).status, "EXECUTED")
        self.assertEqual(agent.balance(), 93)

    def test_a_refused_execution_has_the_payment_as_it_is_since(self) -> None:
        with network("none", FORBIDDEN) as net:
            error = self.raised(lambda: Agent().client(net.url).pay(**SEVEN), "INSUFFICIENT_SCOPE")
        self.assertEqual(error.payment and error.payment.status, "APPROVED")
        self.assertEqual([one.method for one in net.sent], ["POST", "POST", "GET"])

    def test_a_purchase_with_another_amount_is_refused(self) -> None:
        bursar = Agent().client()
        bursar.pay(**SEVEN, payment_key="one")
        self.raised(lambda: bursar.pay(amount=8, recipient=RECIPIENT, payment_key="one"), "PRICE_CHANGED")

    def test_the_single_steps(self) -> None:
        agent = Agent()
        bursar = agent.client()
        asked = bursar.request(**SEVEN, reference="r-1", line_items=[{"description": "Paper", "quantity": 2,
                                                                      "unitAmount": Decimal("3.5")}])
        self.assertEqual(asked.status, "APPROVED")
        self.assertEqual(bursar.execute(asked.request_id).status, "EXECUTED")
        self.raised(lambda: bursar.execute(asked.request_id), "ALREADY_EXECUTED")
        self.assertEqual(bursar.cancel(bursar.request(**SEVEN).request_id).status, "CANCELLED")
        self.assertEqual([one.request_id for one in bursar.list_payments(reference="r-1")], [asked.request_id])
        limits = bursar.limits().wallets[0]
        self.assertEqual((limits.balance, limits.per_payment), (Decimal(93), Decimal(1000)))
        self.assertIsNone(limits.remaining["month"])
        self.assertEqual(bursar.call(dict, "GET /api/sdk/setup")["key"]["name"], "Key")

    def test_an_external_wallet_pays_by_approve_and_confirm(self) -> None:
        sender, chain = "0x00000000000000000000000000000000000000e7", "84532"
        bursar = Agent({"custodyType": "EXTERNAL", "address": sender, "chainId": chain}).client()
        refused = self.raised(lambda: bursar.pay(**SEVEN), "MANUAL_EXECUTION_REQUIRED")
        assert refused.payment
        permits = [
            bursar.approve_requested(refused.payment.request_id),
            bursar.approve(**SEVEN, sender=sender, chain_id=chain),
        ]
        for digit, permit in enumerate(permits, 1):
            assert permit.approved and permit.approval_id and permit.approval_token
            confirmed = bursar.confirm(permit.approval_id, f"0x{str(digit) * 64}", permit.approval_token)
            seen = bursar.payment_status(permit.request_id)
            self.assertEqual((seen.status, seen.transaction and seen.transaction.id), ("EXECUTED", confirmed.id))
            self.assertEqual(confirmed.tx_hash, f"0x{str(digit) * 64}")

    def test_a_token_that_was_lost_with_the_first_answer_is_requested_again(self) -> None:
        sender, chain = "0x00000000000000000000000000000000000000e8", "84532"
        agent = Agent({"custodyType": "EXTERNAL", "address": sender, "chainId": chain})
        with network("unavailable") as net:
            permit = agent.client(net.url).approve(**SEVEN, sender=sender, chain_id=chain)
        self.assertIsNotNone(permit.approval_token)
        for _ in range(2):
            again = agent.client(max_retries=0).approve(**SEVEN, sender=sender, chain_id=chain, idempotency_key="own")
            self.assertIsNotNone(again.approval_token)
        with network("unavailable", "none", FORBIDDEN) as net:
            bursar = agent.client(net.url)
            error = self.raised(lambda: bursar.approve(**SEVEN, sender=sender, chain_id=chain), "INSUFFICIENT_SCOPE")
        self.assertTrue(agent.client().approve_requested(error.request_id or "").approval_token)
