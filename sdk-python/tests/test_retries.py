"""Which requests are retried and when, which are not, and what error the caller gets."""
import pickle
import socket
from contextlib import closing, suppress
from decimal import Decimal
from threading import Thread
from typing import Any

from bursar import Bursar
from bursar.retry import retry_after_in, wait_before

from .proxy import AWAY, LIMITED, network
from .stage import RECIPIENT, URL, Agent, Case, Clock

SEVEN: dict[str, Any] = {"amount": 7, "recipient": RECIPIENT}
NO_OWNER = (503, {"Retry-After": "0"}, '{"error": "No owner", "code": "NO_OWNER"}')


def closed_port() -> str:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        return f"http://127.0.0.1:{server.getsockname()[1]}"


class Retries(Case):
    def test_retries_wait_1_2_4_8_and_at_most_10_seconds_and_follow_only_429_and_5xx(self) -> None:
        for status in (429, 500, 502, 503, 504, 599):
            self.assertEqual([wait_before(retry, 6, status) for retry in range(7)], [1, 2, 4, 8, 10, 10, None])
        for status in (0, 300, 304, 400, 401, 403, 404, 408, 409, 412):
            self.assertIsNone(wait_before(0, 3, status))
        self.assertEqual([wait_before(2, 3, 503, seconds) for seconds in (0, 17, 60, 61)], [0, 17, 60, None])

    def test_retry_after_is_read_as_seconds_and_as_a_date(self) -> None:
        now = 1767225600.0  # 2026-01-01
        dates = {"Thu, 01 Jan 2026 00:00:03 GMT": 3, "Wed, 31 Dec 2025 23:59:00 GMT": 0}
        for header, seconds in {"7": 7, "0": 0, **dates, "soon": None, "-1": None, "1.5": None, "": None}.items():
            self.assertEqual(retry_after_in(header, now), seconds, header)

    def test_429_and_5xx_are_retried_under_one_idempotency_key_after_retry_after(self) -> None:
        clock = Clock()
        late = (503, {"Retry-After": "20"}, "gone")
        with network(late, LIMITED, (500, {}, "")) as net:
            Agent().client(net.url, sleep=clock.sleep).request(**SEVEN)
        self.assertEqual(clock.slept, [20, 0, 4])
        self.assertEqual((len(net.sent), len(net.keys())), (4, 1))

    def test_a_retry_after_of_more_than_a_minute_is_raised(self) -> None:
        with network((429, {"Retry-After": "61"}, "slow down")) as net:
            error = self.raised(lambda: Agent().client(net.url).request(**SEVEN), "RATE_LIMITED")
        self.assertEqual((error.retry_after, len(net.sent)), (61, 1))

    def test_max_retries_limits_the_number_of_retries(self) -> None:
        for retries in (0, 2):
            with network(*[AWAY] * 9) as net:
                self.raised(Agent().client(net.url, max_retries=retries).limits, "UNAVAILABLE")
            self.assertEqual(len(net.sent), retries + 1)

    def test_the_service_says_which_fields_are_invalid(self) -> None:
        bursar = Agent().client()
        error = self.raised(lambda: bursar.request(amount=7, recipient=RECIPIENT, urgency="SOON"), "VALIDATION_ERROR")
        self.assertEqual((error.status, [detail["path"] for detail in error.details]), (400, ["urgency"]))
        self.assertTrue(error.request_id)
        self.raised(lambda: bursar.request(amount="-1", recipient=RECIPIENT), "INVALID_AMOUNT")
        self.raised(lambda: bursar.payment_status("nothing"), "NOT_FOUND")
        self.raised(Bursar(URL, "service_agent_nobody").limits, "AUTH_FAILED")
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((again.code, again.details, str(again)), (error.code, error.details, str(error)))

    def test_an_answer_that_is_not_from_the_service_still_has_a_code(self) -> None:
        codes = {401: "AUTH_FAILED", 404: "NOT_FOUND", 302: "INTERNAL_ERROR", 500: "INTERNAL_ERROR", 502: "UNAVAILABLE"}
        agent = Agent()
        for status, code in {**codes, 200: "INTERNAL_ERROR"}.items():
            for text in ("<html>", "[]"):
                with network((status, {"Location": "/elsewhere"}, text)) as net:
                    bursar = agent.client(net.url, max_retries=0)
                    error = self.raised(lambda: bursar.request(**SEVEN), code)
                self.assertEqual((error.status, len(net.sent)), (status, 1))

    def test_a_cut_connection_is_a_timeout_and_not_retried(self) -> None:
        with network("cut") as net:
            error = self.raised(lambda: Agent().client(net.url).request(**SEVEN), "TIMEOUT")
        self.assertEqual((error.status, len(net.sent)), (0, 1))
        self.assertIsNotNone(error.__cause__)

    def test_an_answer_that_does_not_end_in_time_is_a_timeout(self) -> None:
        server = socket.create_server(("127.0.0.1", 0))

        def trickle() -> None:
            """Each part comes within the timeout."""
            connection, _ = server.accept()
            with connection, suppress(OSError):
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
                for _ in range(1000):
                    connection.sendall(b" ")
                    clock.sleep(0.4)

        clock = Clock()
        thread = Thread(target=trickle)
        thread.start()
        with closing(server), Bursar(f"http://127.0.0.1:{server.getsockname()[1]}", "key", now=clock.now) as bursar:
            self.raised(bursar.limits, "TIMEOUT")
        thread.join()

    def test_other_nodes_are_asked_where_certainly_nothing_was_done(self) -> None:
        agent = Agent()
        with network(NO_OWNER) as net:
            bursar = agent.client([closed_port(), net.url, URL])
            self.assertEqual(bursar.pay(**SEVEN).status, "EXECUTED")
        self.assertEqual([one.name for one in net.sent], ["POST /api/sdk/payments/request"])
        with network("cut") as net:
            self.raised(lambda: agent.client([net.url, URL]).request(**SEVEN), "TIMEOUT")
        self.assertEqual(agent.balance(), 93)

    def test_nodes_that_cannot_be_reached_are_asked_again_in_rounds(self) -> None:
        clock = Clock()
        bursar = Bursar([closed_port(), closed_port()], "key", sleep=clock.sleep)
        self.assertEqual(self.raised(bursar.limits, "TIMEOUT").status, 0)
        self.assertEqual(clock.slept, [1, 2, 4])

    def test_the_random_bytes_are_those_given(self) -> None:
        with network() as net:
            Agent().client(net.url, random_bytes=lambda size: b"\1" * size).request(**SEVEN)
        self.assertEqual(net.keys(), {"01" * 16})

    def test_amounts_are_exact(self) -> None:
        bursar = Agent().client()
        for amount in (0.1, True, None):
            with self.assertRaises(TypeError):
                bursar.pay(amount=amount, recipient=RECIPIENT)  # type: ignore[arg-type]
        self.assertEqual(bursar.request(amount=Decimal("1E+1"), recipient=RECIPIENT).amount, Decimal(10))
        self.assertEqual(bursar.request(amount="0.1", recipient=RECIPIENT).amount, Decimal("0.1"))

    def test_an_id_that_would_change_the_route_and_an_invalid_url_are_refused(self) -> None:
        for id in ("", ".", ".."):
            with self.assertRaises(ValueError):
                Bursar(URL, "key").payment_status(id)
        for url in ("nowhere", "localhost:3905", "ftp://localhost", [], [URL, "x"]):
            with self.assertRaisesRegex(ValueError, "http or https"):
                Bursar(url, "key")

    def test_a_client_does_not_show_its_key(self) -> None:
        bursar = Bursar(URL, "very secret")
        self.assertIn(URL, repr(bursar))
        self.assertNotIn("very secret", repr(bursar))

    def test_fields_of_later_versions_are_ignored(self) -> None:
        text = '{"requestId": "r", "status": "NEW", "amount": 0.1, "currency": "USDC", "later": {"x": 1}}'
        with network((200, {}, text)) as net:
            seen = Agent().client(net.url).payment_status("r")
        self.assertEqual((seen.request_id, seen.status, seen.amount), ("r", "NEW", Decimal("0.1")))
