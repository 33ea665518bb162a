"""Receives webhooks of runs by POST /hooks, with Flask. Usage: WEBHOOK_SECRET=whsec_… PORT=8080"""

import os
import sys

from flask import Flask, request
from standardwebhooks import Webhook, WebhookVerificationError

if os.environ["WEBHOOK_SECRET"] in ("", "whsec_"):
    sys.exit("WEBHOOK_SECRET is empty: then everybody could sign")
secret = Webhook(os.environ["WEBHOOK_SECRET"])
seen = set()  # A repeat has the same id. Several processes share them in a database.
app = Flask(__name__)


@app.post("/hooks")
def receive():
    body = request.get_data()  # as it was sent: JSON that was parsed and written again has another signature
    try:
        secret.verify(body, dict(request.headers))
    except WebhookVerificationError as error:
        return str(error), 401
    event = request.headers["webhook-id"]
    if event not in seen:
        print(body.decode(), flush=True)  # what your service does with it
        seen.add(event)  # afterwards: when it fails, the webhook comes again
    return "", 204


if __name__ == "__main__":
    from werkzeug.serving import make_server

    server = make_server("127.0.0.1", int(os.environ.get("PORT", "8080")), app)
    print(f"Listening at http://127.0.0.1:{server.port}/hooks", file=sys.stderr, flush=True)
    server.serve_forever()
