"""Bursar's SDK for agents: payments that are made once, and the verification of webhooks."""
from .client import Bursar
from .errors import BursarError
from .models import Limits, Payment, Permit, Transaction, Violation, Waited, WalletLimits, WebhookEvent
from .webhook import verify_webhook

__all__ = ["Bursar", "BursarError", "Limits", "Payment", "Permit", "Transaction", "Violation", "Waited"]
__all__ += ["WalletLimits", "WebhookEvent", "verify_webhook"]
