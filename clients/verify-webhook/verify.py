import hashlib
import hmac
import re
import time


def is_genuine(raw_body: bytes, header: str | None, secret: str, clock=time.time) -> bool:
    """raw_body: the bytes as they came, not a re-serialized object. header: X-Service-Signature.

    Where this is False, answer 400 and do nothing. Drop an X-Service-Event-Id that you have handled.
    """
    parts = re.fullmatch("t=([0-9]{1,12}),v1=([0-9a-f]{64})", header or "")
    if parts is None:
        return False
    t, v1 = parts.groups()
    age_seconds = int(clock()) - int(t)
    signed = t.encode() + b"." + raw_body
    expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    return abs(age_seconds) <= 300 and hmac.compare_digest(expected, v1)
