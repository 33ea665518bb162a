import type { InstanceView } from '../../../activities/instances.js';
import { FailureType } from '../../../engine/core/failures.js';
import { StepState } from '../../../engine/core/status.js';
import { parkWhileBlocked } from '../../../engine/run/park-while-blocked.js';
import { failure, orUndefinedIfGone } from '../../../engine/run/failures.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import type { Run } from '../../gcore.js';
import { findUnlessGone } from '../../../engine/wait/find-unless-gone.js';
import { lookUntilGivenUp } from '../../../engine/wait/look-until.js';
import { isFresh } from '../../../engine/run/read-times.js';
import { waitForLock } from '../../shared/wait-for-lock.js';
import type { CreatedInstance } from './create-instance-once.js';
import { isBroken } from './judge-instances.js';

export interface Verification extends CreatedInstance {
  /** `active`: waits for the status ACTIVE. `task`: accepts any status that is not broken. */
  waitFor: 'task' | 'active';
}

/** Looks until the instance itself is up: a finished task does not yet mean a usable instance. */
export async function verifyInstance(
  run: Run,
  step: StepRecorder,
  verification: Verification,
): Promise<InstanceView> {
  step.set(StepState.waiting);
  // A missing instance blocks the run: a person may know where it is.
  const instance = await parkWhileBlocked(run, () => untilInstanceIsUp(run, step, verification));
  step.set(StepState.verified, {
    note: `status ${instance.status}`,
    alsoKnownAs: instance.addresses.map(({ address }) => address),
  });
  return instance;
}

async function untilInstanceIsUp(
  run: Run,
  step: StepRecorder,
  { instanceId, place, waitFor, seen }: Verification,
): Promise<InstanceView> {
  let known = seen?.id === instanceId && isFresh(run.api.times.at(seen)) ? seen : undefined;
  const name = `instance ${instanceId} to become ACTIVE`;
  const summary = `is ${instanceId} ACTIVE?`;
  const read = () =>
    orUndefinedIfGone(
      run.api.reads.getInstance.executeWithOptions({ summary }, [{ ...place, instanceId }]),
    );
  let last: InstanceView | undefined;
  const wait = { name, type: 'instance ACTIVE', state: () => last?.status };
  return lookUntilGivenUp(run, wait, async () => {
    // Like a list, a read may lag behind the end of the task, and its status may be wrong once.
    const found = await findUnlessGone(run, {
      name: `instance ${instanceId}`,
      async look() {
        last = known ?? (await read());
        known = undefined;
        return last && !isBroken(last.status) ? last : undefined;
      },
    });
    if (found.kind === 'found') {
      // Whoever holds it may be deleting it: it still shows as it was then.
      const isLocked = found.seen.lockTaskId !== undefined;
      if (isLocked && (await waitForLock(run, step, found.seen))) return undefined;
      return found.seen.status === 'ACTIVE' || waitFor === 'task' ? found.seen : undefined;
    }
    throw last === undefined ? vanishedFailure(step, instanceId) : brokenFailure(step, last);
  });
}

function vanishedFailure(step: StepRecorder, instanceId: string): Error {
  step.set(StepState.failed, { note: 'the instance cannot be found' });
  return failure(
    FailureType.outcomeUnknown,
    `The task that created instance ${instanceId} has finished, but the instance cannot be found.`,
    { advice: 'Has somebody deleted it? Look in the project.' },
  );
}

function brokenFailure(step: StepRecorder, { id, status }: InstanceView): Error {
  step.set(StepState.failed, { note: `status ${status}` });
  return failure(
    FailureType.taskFailed,
    `Instance ${id} is in status ${status}, although its task finished.`,
    {
      advice:
        'Start again under the same request id. If it happens again, ask the support of the API.',
    },
  );
}
