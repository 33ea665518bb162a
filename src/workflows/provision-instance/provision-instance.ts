import type { InstanceView } from '../../activities/instances.js';
import { Operation, PARTS } from '../../contract/wire/names.js';
import type {
  ProvisionInstanceInput,
  ProvisionInstanceResult,
} from '../../contract/operations/types.js';
import { isFresh } from '../../engine/run/read-times.js';
import type { Planned } from '../../engine/schema/documents.js';
import { planOrRun, type Run } from '../gcore.js';
import { prepareActivities } from '../shared/prepare-activities.js';
import { endOrphans } from '../shared/run-part.js';
import { planProvisionInstance } from './plan/plan-provision-instance.js';
import { createInstanceOnce, type CreatedInstance } from './steps/create-instance-once.js';
import { findPublicAddress } from './steps/find-public-address.js';
import { protectInstance } from './steps/protect-instance.js';
import { verifyInstance } from './steps/verify-instance.js';

const CREATE = 'create instance';
const VERIFY = 'verify instance';
const PROTECT = 'protect instance';

/**
 * Creates one instance. Reports success only when a read shows the instance, and with `protect` only
 * when its public address is protected too.
 *
 * One request (one Workflow Id) never has two instances, whatever is lost, retried or restarted: a new
 * run adopts the instance of an earlier try. A failed or cancelled run waits for the create task, deletes
 * the instance and its volumes, and verifies that they are gone, but no volume that somebody has attached or taken snapshots
 * of meanwhile: it blocks as `RemovalBlocked`; `onFailure: 'keep'` keeps them.
 * Answers the query `status` and the updates `pause`, `resume` and `abort`. Blocks on problems that need
 * a person (`Unauthorized`, `QuotaExceeded`, `CapacityUnavailable`, `OutcomeUnknown`, `ResourceBusy`); with
 * `onBlocked: 'fail'` it fails instead.
 * With `planOnly` it sends nothing and returns a plan.
 * Fails as `InvalidInput`, `InvalidRequest`, `NotFound`, `AlreadyExists`, `TaskFailed`, `DeadlineExceeded`
 * or `Aborted`.
 */
export async function provisionInstance(
  input: ProvisionInstanceInput,
): Promise<ProvisionInstanceResult | Planned> {
  return planOrRun(
    {
      operation: Operation.provisionInstance,
      steps: [CREATE, VERIFY],
      creatingStep: CREATE,
      input,
      prepare: prepareActivities.prepareProvisionInstance,
      plan: planProvisionInstance,
    },
    async (run) => {
      if (run.prepared.protect !== undefined) {
        run.ledger.addSteps([PROTECT]);
        await endOrphans(run, PARTS.provisionInstance);
      }
      const created = await createInstanceOnce(run, CREATE);
      const { waitFor, protect } = run.prepared;
      const instance = await verifyInstance(run, await run.begin(VERIFY), { ...created, waitFor });
      if (protect === undefined) return toResult(run, instance, created);
      run.ledger.addSteps([PROTECT]);
      const step = await run.begin(PROTECT);
      const { place } = created;
      const there = await lookUnlessFresh(run, created, instance);
      const found = await findPublicAddress(run, { instance: there, place });
      const protection = await protectInstance(run, step, { ...place, address: found.address });
      const protectedOne = await lookUnlessFresh(run, created, found.instance);
      return { ...toResult(run, protectedOne, created), protection };
    },
  );
}

/**
 * The instance as it is now. Somebody may have deleted it since it was read, in a pause or while its address was being protected;
 * and a run that was reset knows only what the run before has read, which may have undone its work.
 */
async function lookUnlessFresh(
  run: Run,
  created: CreatedInstance,
  instance: InstanceView,
): Promise<InstanceView> {
  if (isFresh(run.api.times.at(instance))) return instance;
  const again = { ...created, seen: undefined, waitFor: 'task' } as const;
  return verifyInstance(run, run.ledger.step(VERIFY), again);
}

function toResult(
  run: Run,
  { id, name, status, flavor, addresses }: InstanceView,
  { place, taskIds, adopted }: CreatedInstance,
): ProvisionInstanceResult {
  const ledger = run.ledger.document().steps;
  return {
    instanceId: id,
    name,
    status,
    ...(flavor === undefined ? {} : { flavor }),
    ...place,
    addresses,
    taskIds,
    adopted,
    ledger,
  };
}
