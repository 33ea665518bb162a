import { ResourceKind } from '../../../contract/wire/names.js';
import { plural } from '../../../engine/core/text.js';
import type { InstanceView } from '../../../activities/instances.js';
import { StepState } from '../../../engine/core/status.js';
import { detailsOf, orUndefinedIfGone } from '../../../engine/run/failures.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import { parkWhileBlocked } from '../../../engine/run/park-while-blocked.js';
import { findUnlessGone, type FoundOrGone } from '../../../engine/wait/find-unless-gone.js';
import { placeOf, type DeleteRun, type FoundInstance } from './delete-run.js';
import { findPart } from './find-part.js';
import { hadTurns } from '../../../engine/steps/step.js';
import { resourcesAt, resourcesLeft } from './delete-turns.js';
import { findFloatingIps, lookAtParts } from './look-at-parts.js';
import { lookAtRest, markedVolumes } from './look-at-rest.js';
import { contradictionFailure } from './choose-parts.js';
import { waitForLock } from '../../shared/wait-for-lock.js';

/**
 * Finds the instance and the parts to delete; it only reads. Fails as `InvalidRequest` when a choice is
 * not possible. Two instances with the same marker block the run.
 */
export async function findInstance(run: DeleteRun, step: StepRecorder): Promise<FoundInstance> {
  step.set(StepState.waiting, { resources: [] });
  try {
    const found = await parkWhileBlocked(run, () => lookInTurns(run, step));
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

/**
 * Looks until what it sees was so in the run's turn at all that it deletes: only a look tells what that is. It counts only when
 * no task locks the instance: a task may still bring parts.
 */
async function lookInTurns(run: DeleteRun, step: StepRecorder): Promise<FoundInstance> {
  let before: readonly string[] = [];
  let last: InstanceView | undefined;
  for (;;) {
    const marked = new Set<string>();
    const found = await findTarget(run, marked);
    if (found.kind === 'gone') {
      const rest = await lookAtRest(run, { marked, last });
      if (await hadTurns(run, resourcesLeft(rest))) return { ...rest, looked: found.looked };
      continue;
    }
    const { seen: instance } = found;
    last = instance;
    if (await waitForLock(run, step, instance)) continue;
    const attached = await findFloatingIps(run, instance);
    const resources = resourcesAt(run.prepared, instance, attached);
    // An answer may lack a part once, which would be left: two in a row have to.
    const isLess = before.some((resource) => !resources.includes(resource));
    before = resources;
    if (!isLess && (await hadTurns(run, resources))) return lookAtParts(run, instance, attached);
  }
}

/** @param marked takes the volumes with the marker, as the first look without the instance lists them */
function findTarget(run: DeleteRun, marked: Set<string>): Promise<FoundOrGone<InstanceView>> {
  const { target } = run.prepared;
  const place = placeOf(run.prepared);
  const { reads } = run.api;
  if ('instanceId' in target) {
    const { instanceId } = target;
    const look = () => orUndefinedIfGone(reads.getInstance({ ...place, instanceId }));
    return findPart(run, { kind: ResourceKind.instance, id: instanceId }, { look });
  }
  const { marker, madeBy, namespaceId } = target;
  let isFirst = true;
  return findUnlessGone(run, {
    name: `the instance of ${madeBy}`,
    async look() {
      const listed = await reads.listInstances({ ...place, marker, namespaceId });
      if (listed.length > 1) {
        throw contradictionFailure(
          madeBy,
          listed.map(({ id }) => id),
        );
      }
      if (listed.length === 0 && isFirst) {
        isFirst = false;
        for (const id of await markedVolumes(run, target)) marked.add(id);
      }
      return listed[0];
    },
  });
}

function noteOf(found: FoundInstance): string {
  const { instance, volumeIds, floatingIps, looked = '' } = found;
  const counts = `${plural(volumeIds.length, 'volume')} and ${plural(floatingIps.length, 'floating IP')} to delete`;
  return instance === undefined
    ? `the instance is gone already (${looked}); ${counts}${found.isLeftUnknown ? UNKNOWN : ''}`
    : `${instance.name} in status ${instance.status}; ${counts}`;
}

const UNKNOWN =
  '; what an earlier run of this request has left could not be read: see `explain` of that run';
