import type { InstanceView } from '../../../activities/instances.js';
import { FailureType } from '../../../contract/failures.js';
import { StepState } from '../../../contract/status.js';
import { parkWhileBlocked } from '../../engine/run/park-while-blocked.js';
import { failure, orUndefinedIfGone } from '../../engine/run/failures.js';
import type { StepRecorder } from '../../engine/run/ledger.js';
import type { Run } from '../../engine/run/run-types.js';
import { createPause, refuseLate } from '../../engine/wait/wait-for-tasks.js';
import type { CreatedInstance } from './create-instance-once.js';
import { isBroken } from './judge-instances.js';

export interface Verification extends CreatedInstance {
  /** `active`: until status ACTIVE. `task`: one look, whatever the status, unless it is broken. */
  waitFor: 'task' | 'active';
}

/** A finished task is not yet a usable instance: looks until the instance itself says so. */
export async function verifyInstance(
  run: Run,
  step: StepRecorder,
  verification: Verification,
): Promise<InstanceView> {
  step.set(StepState.waiting);
  // An instance that cannot be found blocks the run: a person may know where it is.
  const instance = await parkWhileBlocked(run, () => lookUntilUp(run, step, verification));
  run.ledger.setWaiting(undefined);
  step.set(StepState.verified, { note: `status ${instance.status}` });
  return instance;
}

async function lookUntilUp(
  run: Run,
  step: StepRecorder,
  { instanceId, place, waitFor }: Verification,
): Promise<InstanceView> {
  const type = 'instance ACTIVE';
  const name = `instance ${instanceId} to become ACTIVE`;
  const { reconcileGraceMs, poll } = run.prepared.policy;
  const giveUpMs = poll.typical[type]?.giveUpMs;
  const giveUpAt = giveUpMs === undefined ? undefined : Date.now() + giveUpMs;
  const pause = createPause(run, { name, type, giveUpAt });
  const missingUntil = Date.now() + reconcileGraceMs;
  for (;;) {
    // A read may run behind the end of the task for a while, as lists do.
    const instance = await orUndefinedIfGone(
      run.api.reads.getInstance.executeWithOptions({ summary: `is ${instanceId} ACTIVE?` }, [
        { ...place, instanceId },
      ]),
    );
    if (instance === undefined && Date.now() >= missingUntil) throw vanished(step, instanceId);
    if (instance !== undefined) {
      if (isBroken(instance.status)) throw broken(step, instance);
      if (instance.status === 'ACTIVE' || waitFor === 'task') return instance;
    }
    refuseLate({ name, giveUpAt });
    await pause(instance?.status ?? 'not visible yet');
  }
}

function vanished(step: StepRecorder, instanceId: string): Error {
  step.set(StepState.failed, { note: 'the instance cannot be found' });
  return failure(
    FailureType.outcomeUnknown,
    `The task that created instance ${instanceId} has finished, but the instance cannot be found.`,
    { advice: 'Was it deleted meanwhile? Look in the project.' },
  );
}

function broken(step: StepRecorder, instance: InstanceView): Error {
  step.set(StepState.failed, { note: `status ${instance.status}` });
  return failure(
    FailureType.taskFailed,
    `Instance ${instance.id} is in status ${instance.status}, although its task finished.`,
    { advice: 'Start again under the same request id; if it repeats, ask the support of the API.' },
  );
}
