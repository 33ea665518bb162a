import type { InstanceView } from '../../activities/instances.js';
import { FailureType } from '../../contract/failures.js';
import { StepState } from '../../contract/status.js';
import { failure, orUndefinedIfGone } from '../engine/failures.js';
import type { StepRecorder } from '../engine/ledger.js';
import type { Run } from '../engine/run.js';
import { createPause } from '../engine/wait-for-tasks.js';
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
  { instanceId, waitFor }: Verification,
): Promise<InstanceView> {
  const { projectId, regionId } = run.plan;
  const type = 'instance ACTIVE';
  const pause = createPause(run, { name: `instance ${instanceId} to become ACTIVE`, type });
  const missingUntil = Date.now() + run.plan.policy.reconcileGraceMs;
  step.set(StepState.waiting);
  for (;;) {
    // A read may run behind the end of the task for a while, as lists do.
    const instance = await orUndefinedIfGone(
      run.api.repeatable.getInstance.executeWithOptions({ summary: `is ${instanceId} ACTIVE?` }, [
        { projectId, regionId, instanceId },
      ]),
    );
    if (instance === undefined && Date.now() >= missingUntil) throw vanished(step, instanceId);
    if (instance !== undefined) {
      if (isBroken(instance.status)) throw broken(step, instance);
      if (instance.status === 'ACTIVE' || waitFor === 'task') {
        run.ledger.setWaiting(undefined);
        step.set(StepState.verified, { note: `status ${instance.status}` });
        return instance;
      }
    }
    await pause(instance?.status ?? 'not visible yet');
  }
}

function vanished(step: StepRecorder, instanceId: string): Error {
  step.set(StepState.failed, { note: 'the instance cannot be found' });
  return failure(
    FailureType.outcomeUnknown,
    `The task that created instance ${instanceId} has finished, but the instance cannot be found.`,
    { advice: 'Was it deleted meanwhile? Look in the project before you start again.' },
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
