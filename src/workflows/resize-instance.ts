import type { ResizeInstanceInput, ResizeInstanceResult } from '../contract/operations/types.js';
import { Operation } from '../contract/wire/names.js';
import { paths } from '../contract/wire/paths.js';
import { TaskType } from '../contract/wire/tasks.js';
import type { Planned } from '../engine/schema/documents.js';
import { changeOperation } from './gcore.js';
import { instanceChange, instanceOf } from './shared/instance-change.js';
import { nearestNames } from './shared/plan/plan-parts.js';
import { prepareActivities } from './shared/prepare-activities.js';

/** So the status of an instance is called while its size changes. */
const RESIZING: ReadonlySet<string> = new Set(['RESIZE', 'VERIFY_RESIZE', 'REVERT_RESIZE']);

const resize = instanceChange<ResizeInstanceInput>({
  name: 'resize instance',
  async check(_seen, { reads, prepared, input: { flavor } }, draft) {
    const { projectId, regionId } = prepared;
    const what = `the flavors of region ${regionId}`;
    const seen = await draft.look(what, () => reads.listFlavors({ projectId, regionId }));
    const ids = seen.is === 'there' ? seen.value.map(({ id }) => id) : [flavor];
    if (ids.includes(flavor)) return;
    draft.fault({
      path: 'flavor',
      message: `There is no flavor "${flavor}" in region ${regionId}`,
      advice: `The nearest names are: ${nearestNames(flavor, ids).join(', ')}.`,
    });
  },
  drift({ flavor = 'none', status }, { input }) {
    if (flavor !== input.flavor) return `it has the flavor ${flavor}`;
    return RESIZING.has(status) ? `its status is still ${status}` : undefined;
  },
  call: (target) => ({
    path: paths.changeFlavor(target, target.id),
    purpose: 'change the flavor',
  }),
  send: (run, within, { flavor: before = 'none' }) =>
    run.api.mutations.resizeInstance(
      { ...within, summary: `${before} to ${run.input.flavor}` },
      { ...instanceOf(run), flavor: run.input.flavor },
    ),
  starts: () => TaskType.resizeVm,
  says: ({ before, after }) => `${before.flavor ?? 'none'} → ${after.flavor ?? 'none'}`,
  irreversible: () => 'The instance restarts.',
});

/**
 * Gives an instance another flavor. Reports success only when a read shows it; the first reads after the change may
 * still show the flavor of before.
 *
 * Sends nothing when the instance has the flavor. After a lost answer it sends again only when no task of the call
 * shows in the grace time: each call restarts the instance. Runs on one instance take turns. A failed or cancelled run
 * changes nothing back.
 * Answers the query `status` and the updates `pause`, `resume` and `abort`. Blocks on problems that need a person
 * (`Unauthorized`, `QuotaExceeded`, `CapacityUnavailable`, `OutcomeUnknown`, `ResourceBusy`); with `onBlocked: 'fail'`
 * it fails instead. With `planOnly` it sends nothing and returns a plan.
 * Fails as `InvalidInput`, `InvalidRequest`, `NotFound`, `TaskFailed`, `DeadlineExceeded` or `Aborted`.
 */
export async function resizeInstance(
  input: ResizeInstanceInput,
): Promise<ResizeInstanceResult | Planned> {
  const { resizeInstance: operation } = Operation;
  const { prepareResizeInstance: prepare } = prepareActivities;
  return changeOperation(
    { operation, input, prepare },
    resize,
    ({ before, after, taskIds }, run): ResizeInstanceResult => ({
      instanceId: after.id,
      before: before.flavor ?? null,
      flavor: after.flavor ?? run.input.flavor,
      status: after.status,
      taskIds,
      ledger: run.ledger.document().steps,
    }),
  );
}
