"""A token as real-servers gives it to syncd. Imported, never run."""

import base64
import hashlib
import hmac
import json
import time


def web_token(secret):
    """A JSON web token of the role `me`, for a day (RFC 7519; HS256 of RFC 7518)."""
    def part(held):
        return base64.urlsafe_b64encode(held).rstrip(b"=")

    text = b".".join(part(json.dumps(held).encode()) for held in (
        {"alg": "HS256", "typ": "JWT"}, {"role": "me", "exp": int(time.time()) + 86400}))
    return (text + b"." + part(hmac.new(secret.encode(), text, hashlib.sha256).digest())).decode()
