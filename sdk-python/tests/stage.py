"""What the tests need of a running service: its address and the organization's key are in the environment."""
import os
import unittest
from collections.abc import Callable
from itertools import count
from typing import Any

import httpx

from bursar import Bursar, BursarError

URL = os.environ["BURSAR_URL"]
RECIPIENT = "0x00000000000000000000000000000000000000a1"
_KEY = os.environ["BURSAR_ORGANIZATION_KEY"]
_DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
_numbers = count(1)
# One for all: each makes its own certificates ready, which takes a while.
HTTP = httpx.Client(timeout=30)


def admin(method: str, path: str, body: Any = None) -> Any:
    """Sends as the organization."""
    answer = HTTP.request(method, URL + path, json=body, headers={"Authorization": f"Bearer {_KEY}"})
    if answer.is_error:
        raise AssertionError(f"{path} answered {answer.status_code} {answer.text}")
    return answer.json()


def decide(payment_error: BursarError, decision: str, comment: str = "Said so") -> None:
    path = f"/api/approval-requests/{payment_error.approval_request_id}/decision"
    admin("POST", path, {"decision": decision, "comment": comment})


class Agent:
    """An agent with 100 USDC, of which none of the limits matters unless `terms` say so."""

    def __init__(self, wallet: dict[str, Any] | None = None, **terms: Any) -> None:
        number = next(_numbers)
        agent = admin("POST", "/api/agents", {"name": f"Agent {os.getpid()} {number}", "agentType": "CUSTOM"})
        managed = {"name": f"Wallet {number}", "custodyType": "MANAGED"}
        self._wallet = admin("POST", "/api/wallets", managed | (wallet or {}))["id"]
        admin("POST", f"/api/wallets/{self._wallet}/fund", {"amount": 100})
        delegation = {"walletId": self._wallet, "spendLimitPerTx": 1000, "allowedDays": _DAYS, **terms}
        admin("POST", f"/api/agents/{agent['id']}/wallets", delegation)
        self.key: str = admin("POST", f"/api/agents/{agent['id']}/sdk-keys", {"name": "Key"})["key"]

    def client(self, url: str | list[str] = URL, **more: Any) -> Bursar:
        return Bursar(url, self.key, http=HTTP, **more)

    def balance(self) -> float:
        """Of its wallet."""
        return float(admin("GET", f"/api/wallets/{self._wallet}")["balance"])


class Clock:
    """Time that passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.at = 0.0
        self.slept: list[float] = []

    def now(self) -> float:
        return self.at

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.at += seconds


class Case(unittest.TestCase):
    def raised(self, call: Callable[[], Any], code: str) -> BursarError:
        with self.assertRaises(BursarError) as caught:
            call()
        self.assertEqual(caught.exception.code, code, str(caught.exception))
        return caught.exception
