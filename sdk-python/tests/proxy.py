"""A faulty network: applies faults to the requests of one client in the given order, and then passes everything on."""
import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from .stage import HTTP, URL

# What the proxy answers itself, without passing the request on: status, headers and body.
Answer = tuple[int, dict[str, str], str]
AWAY: Answer = (503, {"Retry-After": "0"}, "gone")
LIMITED: Answer = (429, {"Retry-After": "0"}, "slow down")
FORBIDDEN: Answer = (403, {}, json.dumps({"error": "The key lacks a scope", "code": "INSUFFICIENT_SCOPE"}))
# "cut": carried out, and the connection ends without an answer. "cut before": it ends before anything is done.
# "unavailable": carried out, and answered 503.
Fault = str | Answer


class Sent:
    def __init__(self, handler: BaseHTTPRequestHandler) -> None:
        self.method, self.path, self.headers = handler.command, handler.path, handler.headers
        self.text = handler.rfile.read(int(handler.headers.get("Content-Length", 0)))

    @property
    def name(self) -> str:
        """Without ids and query."""
        parts = self.path.split("?")[0].split("/")
        return f"{self.method} {'/'.join('ID' if len(part) == 25 else part for part in parts)}"


class Network:
    def __init__(self, url: str) -> None:
        self.url = url
        self.sent: list[Sent] = []

    def keys(self) -> set[str | None]:
        return {sent.headers["Idempotency-Key"] for sent in self.sent if sent.method == "POST"}


def pass_on(sent: Sent) -> Answer:
    names = ("Authorization", "Content-Type", "Idempotency-Key")
    headers = {name: sent.headers[name] for name in names if name in sent.headers}
    answer = HTTP.request(sent.method, URL + sent.path, headers=headers, content=sent.text)
    return answer.status_code, {"X-Request-Id": answer.headers.get("X-Request-Id", "")}, answer.text


@contextmanager
def network(*faults: Fault) -> Iterator[Network]:
    left = list(faults)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_request(self) -> None:
            seen.sent.append(Sent(self))
            fault = left.pop(0) if left else "none"
            if fault == "cut before":
                return self.cut()
            answer = fault if isinstance(fault, tuple) else pass_on(seen.sent[-1])
            if fault == "cut":
                return self.cut()
            self.tell(*(AWAY if fault == "unavailable" else answer))

        def cut(self) -> None:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)

        def tell(self, status: int, headers: dict[str, str], text: str) -> None:
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(text.encode()))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: Any) -> None:
            pass

        do_GET = do_POST = handle_request

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    seen = Network(f"http://127.0.0.1:{server.server_address[1]}")
    Thread(target=server.serve_forever, daemon=True, kwargs={"poll_interval": 0.02}).start()
    try:
        yield seen
    finally:
        server.shutdown()
        server.server_close()
