"""Decides whether and after how long a request is retried. It only computes; it neither sends nor waits."""
import math
import re
from email.utils import parsedate_to_datetime

# After a longer `Retry-After` there is no retry; the error has it as `retry_after`.
_LONGEST_RETRY_AFTER = 60


def wait_before(retry: int, max_retries: float, status: int, retry_after: int | None = None) -> float | None:
    """Seconds to wait before retry number `retry` (from 0): 1, 2, 4, 8, 10; None for no retry."""
    if retry >= max_retries or (status != 429 and status < 500):
        return None
    if retry_after is None:
        return min(2.0 ** min(retry, 9), 10)
    return None if retry_after > _LONGEST_RETRY_AFTER else retry_after


def retry_after_in(header: str, now: float) -> int | None:
    """Seconds from `now` (of the epoch), for a `Retry-After` in seconds or as a date; None when it is neither."""
    if re.fullmatch("[0-9]{1,9}", header):
        return int(header)
    try:
        return max(0, math.ceil(parsedate_to_datetime(header).timestamp() - now))
    except (ValueError, TypeError, OverflowError):
        return None
