import { proxyLocalActivities } from '@temporalio/workflow';

import type { InstanceView } from '../activities/instances.js';
import type { createPrepareActivities } from '../activities/prepare.js';
import { Operation } from '../contract/names.js';
import type {
  ProvisionInstanceInput,
  ProvisionInstanceResult,
} from '../contract/operations/provision-instance.js';
import { runOperation, type Run } from './engine/run.js';
import { createInstanceOnce, type CreatedInstance } from './steps/create-instance-once.js';
import { verifyInstance } from './steps/verify-instance.js';

const { prepareProvisionInstance } = proxyLocalActivities<
  ReturnType<typeof createPrepareActivities>
>({ startToCloseTimeout: '5 seconds' });

const CREATE = 'create instance';
const VERIFY = 'verify instance';

/**
 * Creates one instance and reports success only once it is seen to be there.
 *
 * Guarantees that one request (one Workflow Id) never has two instances, whatever is lost, retried
 * or restarted: an instance of an earlier try is adopted. Answers the query `status`. Cancelling
 * waits for the create task, then deletes the instance and its volumes and verifies that they are
 * gone (`onFailure: 'keep'` keeps them); a failure does the same.
 * Fails as `InvalidInput`, `InvalidRequest`, `Unauthorized`, `QuotaExceeded`,
 * `CapacityUnavailable`, `NotFound`, `TaskFailed` or `OutcomeUnknown`.
 */
export async function provisionInstance(
  input: ProvisionInstanceInput,
): Promise<ProvisionInstanceResult> {
  return runOperation(
    {
      operation: Operation.provisionInstance,
      steps: [CREATE, VERIFY],
      prepare: () => prepareProvisionInstance(input),
    },
    async (run) => {
      const created = await createInstanceOnce(run, run.ledger.step(CREATE), input.instance);
      const { waitFor } = run.plan;
      const instance = await verifyInstance(run, run.ledger.step(VERIFY), { ...created, waitFor });
      return toResult(run, instance, created);
    },
  );
}

function toResult(
  run: Run,
  { id, name, status, addresses }: InstanceView,
  { taskIds, adopted }: CreatedInstance,
): ProvisionInstanceResult {
  const ledger = run.ledger.document().steps;
  return { instanceId: id, name, status, addresses, taskIds, adopted, ledger };
}
