"""Checks a webhook: exit code 0 when a signature is right and the time less than five minutes off, else 1.

The body comes from stdin as it was sent: JSON that was parsed and written again has another signature.
"""

import base64
import hmac
import os
import sys
import time

key = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"), validate=True)
timestamp = os.environ["WEBHOOK_TIMESTAMP"]
signed = f"{os.environ['WEBHOOK_ID']}.{timestamp}.".encode() + sys.stdin.buffer.read()
right = b"v1," + base64.b64encode(hmac.digest(key, signed, "sha256"))

# Two while the secret is being changed.
signatures = os.environ["WEBHOOK_SIGNATURE"].encode().split()
is_right = key != b"" and any([hmac.compare_digest(right, one) for one in signatures])
is_fresh = abs(time.time() - int(timestamp)) < 300
sys.exit(0 if is_right and is_fresh else 1)
