"""Sends requests, with the retries that cannot do anything twice: after 429 and 5xx, under one idempotency key. What had
no answer is a TIMEOUT and not sent again, because it may have been carried out."""
import json
import re
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

import httpx

from .decode import MALFORMED, decode, exact, named, parse
from .errors import BursarError, refusal_of
from .retry import retry_after_in, wait_before

T = TypeVar("T")
_NEVER_CONNECTED = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
# A connection that the other side closes, after 5 seconds or more, would cost an unknown outcome.
_LIMITS = httpx.Limits(keepalive_expiry=3)


@dataclass(eq=False)
class Service:
    base_url: str | Sequence[str]  # a list of the nodes' URLs where there are several
    api_key: str = field(repr=False)
    _: KW_ONLY
    timeout: float = 30  # seconds, for one attempt
    max_retries: int = 3
    http: httpx.Client = field(default_factory=lambda: httpx.Client(limits=_LIMITS))
    now: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep
    random_bytes: Callable[[int], bytes] = secrets.token_bytes

    def __post_init__(self) -> None:
        urls = [self.base_url] if isinstance(self.base_url, str) else self.base_url
        self._urls = [url.rstrip("/") for url in urls]  # the first is asked first
        # Reports an invalid URL here instead of at the first payment.
        if not self._urls or not all(re.match("https?://[^/]", url) for url in self._urls):
            raise ValueError(f"base_url must be the http or https URL of the service, not {self.base_url}")

    def new_key(self) -> str:
        return self.random_bytes(16).hex()

    def call(
        self, kind: type[T], route: str, body: dict[str, Any] | None = None, *, id: str = "-", key: str | None = None,
        timeout: float | None = None, max_retries: int | None = None, part: Callable[[Any], Any] = lambda answer: answer,
    ) -> T:
        """`route` is `POST /path` or `GET /path`, of which `id` replaces `{id}`; `part` of the answer becomes `kind`."""
        # An empty part of a path, `.` or `..` would address another route.
        if id in ("", ".", ".."):
            raise ValueError(f"an id is needed, not {id!r}")
        method, path = route.replace("{id}", quote(id, safe="")).split(" ")
        headers, content = {"Accept": "application/json", "Authorization": f"Bearer {self.api_key}"}, None
        if method == "GET" and body:
            path += f"?{urlencode(named(body))}"
        if method == "POST":
            headers["Idempotency-Key"] = key or self.new_key()
        if method == "POST" and body is not None:
            headers["Content-Type"] = "application/json"
            content = json.dumps(named(body), default=exact)
        seconds = self.timeout if timeout is None else timeout

        def ask(url: str) -> Any:
            return self._attempt(httpx.Request(method, url + path, headers=headers, content=content), seconds)

        answer = self._retried(ask, self.max_retries if max_retries is None else max_retries)
        try:
            decoded: T = decode(kind, part(answer))
            return decoded
        except MALFORMED as cause:
            raise BursarError(f"The answer of {route} is not from the service", status=200) from cause

    def _retried(self, ask: Callable[[str], Any], max_retries: int, retry: int = 0) -> Any:
        try:
            return self._in_turn(ask, self._urls)
        except BursarError as failed:
            # Where there is another node, one may be there by then.
            status = 503 if _is_unsent(failed) and len(self._urls) > 1 else failed.status
            wait = wait_before(retry, max_retries, status, failed.retry_after)
            if wait is None:
                raise
        self.sleep(wait)
        return self._retried(ask, max_retries, retry + 1)

    def _in_turn(self, ask: Callable[[str], Any], urls: list[str]) -> Any:
        """Asks one node after the other, as long as those before have certainly done nothing."""
        try:
            return ask(urls[0])
        except BursarError as failed:
            if not (failed.status == 0 or 502 <= failed.status <= 504):
                raise
            # The next one is asked first from now on, unless another call has left this one before.
            if self._urls[0] == urls[0]:
                self._urls = [*self._urls[1:], urls[0]]
            if len(urls) == 1 or not (failed.code == "NO_OWNER" or _is_unsent(failed)):
                raise
        return self._in_turn(ask, urls[1:])

    def _attempt(self, request: httpx.Request, timeout: float) -> Any:
        try:
            response, text = self._exchange(request, timeout)
        except httpx.RequestError as cause:
            why = f"within {timeout} s" if isinstance(cause, httpx.TimeoutException) else f"({cause})"
            advice = "" if request.method == "GET" else ". Check the status before sending it again"
            raise BursarError(f"{request.method} {request.url} got no answer {why}{advice}", "TIMEOUT") from cause
        body = parse(text)
        if not response.is_success or body is None:
            retry_after = retry_after_in(response.headers.get("Retry-After", ""), self.now())
            raise refusal_of(response.status_code, body, response.headers.get("X-Request-Id"), retry_after)
        return body

    def _exchange(self, request: httpx.Request, timeout: float) -> tuple[httpx.Response, bytes]:
        deadline, text = self.now() + timeout, b""
        request.extensions = {"timeout": httpx.Timeout(timeout).as_dict()}
        # Following a redirect could repeat a POST as a GET, or send the key to another host.
        response = self.http.send(request, stream=True, follow_redirects=False)
        try:
            for part in response.iter_bytes():
                text += part
                # httpx limits only the wait for each part, of which there may be any number.
                if self.now() > deadline:
                    raise httpx.ReadTimeout("the answer took too long")
        finally:
            response.close()
        return response, text


def _is_unsent(failed: BursarError) -> bool:
    """True where nothing of the request has left."""
    return failed.status == 0 and isinstance(failed.__cause__, _NEVER_CONNECTED)
