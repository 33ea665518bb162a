"""Provisions an instance by a Temporal client and prints the verified result. Needs: pip install -r requirements.txt

Repeat it as often as you like: the same order number gives the same run. TEMPORAL_ADDRESS and the like name the server.
Usage: provision_with_temporal.py ORDER INPUT.json
"""

import asyncio
import json
import os
import sys

from temporalio.client import Client, WorkflowFailureError
from temporalio.common import WorkflowIDConflictPolicy, WorkflowIDReusePolicy
from temporalio.envconfig import ClientConfig
from temporalio.exceptions import WorkflowAlreadyStartedError

# An open run of this order is joined; one that has succeeded is not repeated.
ONCE = {
    "task_queue": "gcore-workflows",
    "id_conflict_policy": WorkflowIDConflictPolicy.USE_EXISTING,
    "id_reuse_policy": WorkflowIDReusePolicy.ALLOW_DUPLICATE_FAILED_ONLY,
}


async def provision(order: str, order_input: dict) -> dict:
    client = await Client.connect(**{"target_host": "localhost:7233", **ClientConfig.load_client_connect_config()})
    run_id = f"provision-instance/{order_input.get('account', 'default')}/{order}"
    try:
        run = await client.start_workflow("provisionInstance", order_input, id=run_id, **ONCE)
    except WorkflowAlreadyStartedError:  # it has succeeded before
        run = client.get_workflow_handle(run_id)
    return await run.result()


order, file = sys.argv[1:]
try:
    print(json.dumps(asyncio.run(provision(order, json.load(open(file))))), flush=True)
    code = 0
except WorkflowFailureError as failure:  # its cause says why and what to do
    print(failure.cause, file=sys.stderr, flush=True)
    code = 1
# A thread of the SDK may still hand over an answer, and Python aborts when one does so while it ends in the usual way.
os._exit(code)
