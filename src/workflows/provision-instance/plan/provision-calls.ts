import { paths } from '../../../contract/wire/paths.js';
import { firstOfRegions, nameOf, type Target } from '../targets.js';
import type { Draft } from '../../../engine/plan/planning.js';
import { toAdopted, type EarlierInstance } from './look-for-earlier-instance.js';
import type { ProvisionPlanRun } from './provision-plan-run.js';

/** Plans a run that makes nothing and adopts the instance of an earlier try. */
export function planAdoption(
  run: ProvisionPlanRun,
  draft: Draft,
  { instance, place }: EarlierInstance,
): void {
  const { creatorTaskId, id } = instance;
  draft.adopts.push(...toAdopted(instance));
  draft.calls.push(look(run, { place }));
  if (creatorTaskId !== undefined) draft.calls.push(waitFor(creatorTaskId));
  draft.calls.push(verify(run, paths.instance(place, id)));
}

export function planCreation(
  run: ProvisionPlanRun,
  draft: Draft,
  targets: readonly Target[],
): void {
  const [asked] = targets;
  if (asked === undefined) return;
  for (const target of firstOfRegions(targets)) draft.calls.push(look(run, target));
  for (const target of targets) {
    const isAsked = target === asked;
    draft.calls.push({
      method: 'POST',
      path: paths.createInstance(target.place),
      purpose: isAsked
        ? `create the instance, ${nameOf(target)}; sent once`
        : `the same with ${nameOf(target)}, if there is no room for the targets before it`,
    });
  }
  draft.calls.push(waitFor('{task_id}'));
  draft.calls.push(verify(run, paths.instance(asked.place, '{instance_id}')));
  listIrreversible(run, draft);
}

function look({ prepared }: ProvisionPlanRun, { place }: Pick<Target, 'place'>) {
  return {
    method: 'GET',
    path: paths.instances(place),
    purpose: `look for an instance of an earlier try, by the tag workflow-request = ${prepared.marker}`,
  };
}

function waitFor(taskId: string) {
  const purpose = 'wait until the create task has ended';
  return { method: 'GET', path: paths.task(taskId), purpose };
}

function verify({ prepared }: ProvisionPlanRun, path: string) {
  const purpose =
    prepared.waitFor === 'active' ? 'look until the instance is ACTIVE' : 'look at the instance';
  return { method: 'GET', path, purpose };
}

function listIrreversible({ prepared, input }: ProvisionPlanRun, draft: Draft): void {
  const { volumes } = input.instance;
  draft.irreversible.push(
    'A rollback does not refund what the instance, its new volumes and floating IPs have cost.',
  );
  if (prepared.onFailure === 'rollback') {
    draft.irreversible.push(
      'A failure or a cancellation deletes what the run has made, with all its data (onFailure "keep" keeps it).',
    );
  }
  const outliving = volumes.flatMap((volume, index) =>
    volume.source !== 'existing-volume' && volume.delete_on_termination !== true ? [index] : [],
  );
  if (outliving.length === 0) return;
  draft.warn({
    path: `instance.volumes[${String(outliving[0])}].delete_on_termination`,
    message: `is not true: ${outliving.length === 1 ? 'volume' : 'volumes'} ${outliving.join(', ')} will outlive a deleted instance and keep costing money`,
    advice: 'Set it to true unless you want to keep the data.',
  });
}
