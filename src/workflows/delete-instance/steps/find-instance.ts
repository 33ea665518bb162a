import { plural } from '../../../engine/core/text.js';
import type { InstanceView } from '../../../activities/instances.js';
import { StepState } from '../../../engine/core/status.js';
import { detailsOf, orUndefinedIfGone } from '../../../engine/run/failures.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import { parkWhileBlocked } from '../../../engine/run/park-while-blocked.js';
import { lookUntilGraceEnds } from '../../../engine/wait/look-until.js';
import { placeOf, type DeleteRun, type FoundInstance } from './delete-run.js';
import { lookAtParts } from './look-at-parts.js';
import { lookAtRest } from './look-at-rest.js';
import { contradictionFailure } from './choose-parts.js';

/**
 * Finds the instance and the parts to delete; it only reads. Fails as `InvalidRequest` when a choice is
 * not possible. Two instances with the same marker block the run.
 */
export async function findInstance(run: DeleteRun, step: StepRecorder): Promise<FoundInstance> {
  step.set(StepState.waiting, { resources: [] });
  try {
    const found = await parkWhileBlocked(run, () => look(run));
    step.set(StepState.verified, { note: noteOf(found) });
    return found;
  } catch (error) {
    const { faults = [] } = detailsOf(error);
    if (faults.length > 0) {
      step.set(StepState.failed, { note: faults.map(({ message }) => message).join('; ') });
    }
    throw error;
  }
}

async function look(run: DeleteRun): Promise<FoundInstance> {
  const instance = await findTarget(run);
  return instance === undefined ? lookAtRest(run) : lookAtParts(run, instance);
}

async function findTarget(run: DeleteRun): Promise<InstanceView | undefined> {
  const { target, policy } = run.prepared;
  const place = placeOf(run.prepared);
  const { reads } = run.api;
  if ('instanceId' in target) {
    return orUndefinedIfGone(reads.getInstance({ ...place, instanceId: target.instanceId }));
  }
  const { marker, madeBy, namespaceId } = target;
  const until = Date.now() + policy.reconcileGraceMs;
  const name = `the instance of ${madeBy} to show`;
  const [instance] = await lookUntilGraceEnds(run, { name, until }, async (isLate) => {
    const listed = await reads.listInstances({ ...place, marker, namespaceId });
    if (listed.length > 1) {
      throw contradictionFailure(
        madeBy,
        listed.map(({ id }) => id),
      );
    }
    // A list may not show a new instance yet.
    return listed.length > 0 || isLate ? listed : undefined;
  });
  return instance;
}

function noteOf({ instance, volumeIds, floatingIps }: FoundInstance): string {
  const counts = `${plural(volumeIds.length, 'volume')} and ${plural(floatingIps.length, 'floating IP')} to delete`;
  return instance === undefined
    ? `the instance is gone already; ${counts}`
    : `${instance.name} in status ${instance.status}; ${counts}`;
}
