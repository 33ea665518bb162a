"""Provisions an instance over HTTP and prints the verified result. Needs nothing but Python.

Repeat it as often as you like: the same order number gives the same run. Usage: provision.py ORDER INPUT.json
"""

import os
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

GATEWAY = os.environ.get("GATEWAY", "http://127.0.0.1:8088")
TOKEN = {"Authorization": "Bearer " + os.environ.get("GATEWAY_TOKEN", "")}

order, file = sys.argv[1:]
headers = TOKEN | {"Idempotency-Key": order, "Content-Type": "application/json"}
try:
    body = open(file, "rb").read()
    run = urlopen(Request(GATEWAY + "/v1/runs/provisionInstance", body, headers), timeout=60).headers["Location"]
    answer = None
    while answer is None or answer.status == 202:  # 202: it goes on
        answer = urlopen(Request(GATEWAY + run + "/result?wait=30s", headers=TOKEN), timeout=60)
    print(answer.read().decode())
except HTTPError as problem:  # 422: the run failed; the problem says why and what to do
    sys.exit(problem.read().decode())
