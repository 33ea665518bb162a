import type { PlacedFloatingIp } from '../../../activities/floating-ip-moves.js';
import { StepState } from '../../../engine/core/status.js';
import type { Draft } from '../../../engine/plan/planning.js';
import { refuseFaults } from '../../../engine/plan/refuse-faults.js';
import { orUndefinedIfGone } from '../../../engine/run/failures.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import { askedOf } from '../../../engine/steps/step.js';
import { createSureRead } from '../../../engine/wait/read-surely.js';
import { findLeading, fixedIpOf, leadsTo } from '../../shared/leads-to.js';
import { namedBy, type AskedToReplace, type ReplaceRun } from './replace-run.js';

/** Looks at the floating IP before anything is created. Fails as `NotFound` or `InvalidRequest`. */
export async function checkStart(run: ReplaceRun, step: StepRecorder): Promise<PlacedFloatingIp> {
  const before = await withFixedIp(run, await refuseOtherHolder(run, step, true));
  step.set(StepState.verified, { note: `it has floating IP ${before.address ?? before.id}` });
  return before;
}

/** Not every answer names the private address that it leads to. Whoever moves it back to an instance with several has to. */
async function withFixedIp(run: ReplaceRun, before: PlacedFloatingIp): Promise<PlacedFloatingIp> {
  if (before.fixedIp !== undefined) return before;
  const { place, oldId: instanceId } = namedBy(run);
  const ports = await orUndefinedIfGone(run.api.reads.listInterfaces({ ...place, instanceId }));
  const fixedIp = fixedIpOf(before, ports);
  return { ...before, ...(fixedIp !== undefined && { fixedIp }) };
}

/** Fails as `InvalidRequest` when somebody else has the floating IP now. */
export async function refuseOtherHolder(
  run: ReplaceRun,
  step: StepRecorder,
  isFirst = false,
): Promise<PlacedFloatingIp> {
  const asked = askedOf(run);
  const { place, floatingIpId: id } = namedBy(asked);
  const read = createSureRead(run, {
    name: `floating IP ${id}`,
    read: () => readFloatingIp(asked),
    isListed: async () => (await asked.reads.findListedFloatingIp({ ...place, id })) !== null,
  });
  const seen = await read();
  let placed = seen;
  const isAtForSure = async (instanceId: string) => {
    const at = await findAt(run, instanceId);
    // Only from the port that this answer names may it be moved: the one before may have named none.
    placed = at ?? placed;
    return at !== undefined;
  };
  await refuseFaults(step, (draft) => checkHolder(asked, { seen, isAtForSure }, draft), isFirst);
  return placed;
}

export function readFloatingIp(asked: AskedToReplace): Promise<PlacedFloatingIp> {
  const { place, floatingIpId: id } = namedBy(asked);
  return asked.reads.getPlacedFloatingIp({ ...place, id });
}

function leadsToInstance(
  asked: AskedToReplace,
  seen: PlacedFloatingIp,
  instanceId: string,
): Promise<boolean> {
  return leadsTo(asked.reads, seen, { ...namedBy(asked).place, instanceId });
}

/** The floating IP, if it leads to this instance; `undefined` when it certainly does not. */
export function findAt(run: ReplaceRun, instanceId: string): Promise<PlacedFloatingIp | undefined> {
  const { place, floatingIpId } = namedBy(run);
  return findLeading(run, { ...place, instanceId, floatingIpId });
}

interface Holding {
  seen: PlacedFloatingIp;
  /** Whether it leads to this instance: a second look, where the first one does not show it. A plan looks once. */
  isAtForSure?: (instanceId: string) => Promise<boolean>;
}

/** The old instance has it, or the new one of an earlier try. The run takes it from nobody else. */
export async function checkHolder(
  asked: AskedToReplace,
  { seen, isAtForSure = () => Promise.resolve(false) }: Holding,
  draft: Draft,
): Promise<void> {
  const { oldId } = namedBy(asked);
  const isAtNow = (instanceId: string) => leadsToInstance(asked, seen, instanceId);
  if (await isAtNow(oldId)) return;
  const earlierIds = seen.portId === undefined ? [] : await earlierOf(asked);
  for (const id of earlierIds) if (await isAtNow(id)) return;
  for (const id of [oldId, ...earlierIds]) if (await isAtForSure(id)) return;
  draft.fault({
    path: 'floatingIpId',
    message: `Floating IP ${seen.id} ${seen.portId === undefined ? 'leads to no port' : `leads to port ${seen.portId}`}, not to instance ${oldId}`,
    advice: 'Name a floating IP of the instance that is to be replaced.',
  });
}

/** An earlier try of this request may have moved it already. */
async function earlierOf(asked: AskedToReplace): Promise<string[]> {
  const { place } = namedBy(asked);
  const { marker } = asked.prepared;
  return (await asked.reads.listInstances({ ...place, marker })).map(({ id }) => id);
}
