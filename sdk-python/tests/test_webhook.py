"""A delivery of the service is verified; one that was altered, is too old or is signed with another secret is refused."""
import base64
import hashlib
import hmac
from datetime import timedelta
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

from bursar import verify_webhook

from .stage import RECIPIENT, Agent, Case, admin

Delivery = tuple[bytes, dict[str, str]]


def received(server: HTTPServer, name: str) -> Delivery:
    """The delivery of this event; the service delivers others, too."""
    found: list[Delivery] = []
    setattr(server, "found", found)
    while True:
        server.handle_request()
        for raw, headers in found:
            if headers["X-Service-Event"] == name:
                return raw, headers


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers["Content-Length"]))
        getattr(self.server, "found").append((raw, dict(self.headers)))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


class Webhooks(Case):
    secret: str
    raw: bytes
    headers: dict[str, str]

    @classmethod
    def setUpClass(cls) -> None:
        with HTTPServer(("127.0.0.1", 0), Receiver) as server:
            server.timeout = 20
            url = f"http://127.0.0.1:{server.server_address[1]}/events"
            cls.secret = admin("PUT", "/api/webhooks", {"url": url})["webhookSecret"]
            Agent().client().pay(amount=Decimal("7.25"), recipient=RECIPIENT, payment_key="hook")
            cls.raw, cls.headers = received(server, "payment.executed")

    def test_a_real_delivery_is_verified_and_parsed(self) -> None:
        lower = {name.lower(): value for name, value in self.headers.items()}
        deliveries: list[tuple[bytes | str, dict[str, str]]] = [(self.raw, self.headers), (self.raw.decode(), lower)]
        for body, headers in deliveries:
            event = verify_webhook(body, headers, self.secret)
            self.assertEqual((event.event, event.delivery_id), ("payment.executed", self.headers["webhook-id"]))
            self.assertEqual(event.data["amount"], Decimal("7.25"))
            self.assertEqual(event.timestamp.utcoffset(), timedelta(0))

    def test_either_signature_suffices(self) -> None:
        for left_out in ("X-Service-Signature", "webhook-signature"):
            headers = {name: value for name, value in self.headers.items() if name != left_out}
            self.assertEqual(verify_webhook(self.raw, headers, self.secret).event, "payment.executed")

    def test_a_signature_of_the_previous_secret_is_valid_during_a_rotation(self) -> None:
        headers = {"X-Service-Signature": "00" * 32, "X-Service-Signature-Previous": self.headers["X-Service-Signature"]}
        self.assertEqual(verify_webhook(self.raw, headers, self.secret).event, "payment.executed")

    def test_an_altered_body_another_secret_and_no_signature_are_refused(self) -> None:
        other = "whsec_" + base64.b64encode(b"x" * 32).decode()
        plain = {name: value for name, value in self.headers.items() if "ignature" not in name}
        odd = {**plain, "X-Service-Signature": "é", "webhook-signature": "v1,é v1, x"}
        for raw, headers, secret in (
            (self.raw.replace(b"7.25", b"9.25"), self.headers, self.secret),
            (self.raw, self.headers, other),
            (self.raw, self.headers, "x"),
            (self.raw, plain, self.secret),
            (self.raw, odd, self.secret),
            (self.raw, {**self.headers, "X-Service-Signature": "", "webhook-timestamp": "1"}, self.secret),
        ):
            error = self.raised(lambda: verify_webhook(raw, headers, secret), "AUTH_FAILED")
            self.assertEqual(error.status, 401)
        with self.assertRaisesRegex(ValueError, "empty"):
            verify_webhook(self.raw, self.headers, "")

    def test_one_that_is_too_old_or_too_far_ahead_is_refused(self) -> None:
        sent = int(self.headers["webhook-timestamp"])
        for now in (sent + 300, sent - 300):
            verify_webhook(self.raw, self.headers, self.secret, now=now)
        for now in (sent + 301, sent - 301):
            self.raised(lambda: verify_webhook(self.raw, self.headers, self.secret, now=now), "EXPIRED")
        verify_webhook(self.raw, self.headers, self.secret, tolerance=1000, now=sent + 999)

    def test_a_signed_body_that_is_no_event_is_refused(self) -> None:
        for raw in (b"x", b"[]", b"{}", b'{"deliveryId": "d", "event": "e", "timestamp": "soon", "data": {}}'):
            signature = hmac.new(self.secret.encode(), raw, hashlib.sha256).hexdigest()
            self.raised(lambda: verify_webhook(raw, {"X-Service-Signature": signature}, self.secret), "INVALID_JSON")
