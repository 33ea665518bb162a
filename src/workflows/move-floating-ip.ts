import type { InterfaceView, PlacedFloatingIp } from '../activities/floating-ip-moves.js';
import type { MoveFloatingIpInput, MoveFloatingIpResult } from '../contract/operations/types.js';
import { floatingIpResource, instanceResource, Operation } from '../contract/wire/names.js';
import { paths } from '../contract/wire/paths.js';
import { TaskType } from '../contract/wire/tasks.js';
import { orUndefinedIfGone } from '../engine/run/failures.js';
import type { Planned } from '../engine/schema/documents.js';
import { changeOperation } from './gcore.js';
import { chooseTarget } from './shared/floating-ip-target.js';
import { instanceIdOf, isInstanceListed } from './shared/instance-change.js';
import { fixedIpOf } from './shared/leads-to.js';
import { prepareActivities } from './shared/prepare-activities.js';
import { resourceChange, type Subject } from './shared/resource-change.js';

/** A floating IP, and the ports of the instance at the same look. */
interface Movable extends PlacedFloatingIp {
  /** Missing: there is no such instance. */
  interfaces?: InterfaceView[];
}

const FLOATING_IP: Subject<MoveFloatingIpInput, Movable> = {
  kind: 'floating IP',
  resource: floatingIpResource,
  field: 'floatingIpId',
  idOf: ({ floatingIpId }) => floatingIpId.toLowerCase(),
  path: paths.floatingIp,
  listPath: paths.floatingIps,
  async read({ input, reads }, { id, ...place }) {
    const floatingIp = await reads.getPlacedFloatingIp({ ...place, id });
    const instanceId = instanceIdOf(input);
    const interfaces = await orUndefinedIfGone(reads.listInterfaces({ ...place, instanceId }));
    return { ...floatingIp, ...(interfaces && { interfaces }) };
  },
  after: ({ id, ...place }, input) => ({
    read: { floatingIp: { ...place, id, instanceId: instanceIdOf(input) } },
    stateIn: ({ floatingIp }) => floatingIp,
  }),
  isListed: async (reads, target) => (await reads.findListedFloatingIp(target)) !== null,
  part: {
    isIn: ({ interfaces = [] }) => interfaces.length > 0,
    isListed: isInstanceListed,
  },
  list: (reads, place) => reads.listFloatingIps({ ...place, creatorTaskIds: [] }),
};

const move = resourceChange<MoveFloatingIpInput, Movable>(FLOATING_IP, {
  name: 'move floating IP',
  worksOn: (input) => [instanceResource(instanceIdOf(input))],
  isConditional: ({ fromPortId }) => fromPortId !== undefined,
  instances: (_seen, input) => [instanceIdOf(input)],
  drift(seen, { input }, isCarriedOut) {
    const target = targetOf(seen, input);
    const isThere = 'portId' in target && seen.portId === target.portId;
    const unsaid = isCarriedOut && isThere ? target.fixedIp : undefined;
    const leadsThere = isThere && (fixedIpOf(seen, seen.interfaces) ?? unsaid) === target.fixedIp;
    return leadsThere ? undefined : `it is at ${describePlace(seen)}`;
  },
  faults(seen, { input }) {
    const target = targetOf(seen, input);
    if (!('portId' in target)) return [target];
    const { fromPortId = seen.portId } = input;
    if (fromPortId?.toLowerCase() === seen.portId) return [];
    return [
      {
        path: 'fromPortId',
        message: `The floating IP is at ${describePlace(seen)}`,
        advice: 'Find out who has moved it, then start again.',
      },
    ];
  },
  call: ({ id, ...place }) => ({
    method: 'PATCH',
    path: paths.updateFloatingIp(place, id),
    purpose: 'move the floating IP to the port',
  }),
  send(run, within, seen) {
    const target = targetOf(seen, run.input);
    if (!('portId' in target)) throw new TypeError('a fault ends the run before it sends');
    const { projectId, regionId } = run.prepared;
    return run.api.mutations.moveFloatingIp(
      { ...within, summary: `to ${target.fixedIp} of instance ${instanceIdOf(run.input)}` },
      { projectId, regionId, floatingIpId: seen.id, ...target },
    );
  },
  starts: () => TaskType.updateFloatingIp,
  says: ({ before, after }) => `${describePlace(before)} → ${describePlace(after)}`,
});

function targetOf(
  { id, interfaces }: Movable,
  { instanceId, fixedIpAddress }: MoveFloatingIpInput,
) {
  return chooseTarget(interfaces, { floatingIpId: id, instanceId, fixedIpAddress });
}

function portOf(seen: Movable, input: MoveFloatingIpInput): string {
  const target = targetOf(seen, input);
  if (!('portId' in target)) throw new TypeError('a change that succeeds shows the port');
  return target.portId;
}

function describePlace({ portId, instanceId, fixedIp = '' }: Movable): string {
  if (portId === undefined) return 'no port';
  return instanceId === undefined
    ? `port ${portId} ${fixedIp}`
    : `instance ${instanceId} ${fixedIp}`;
}

/**
 * Moves a floating IP to an instance, in one call. Reports success only when a read shows it at the port.
 *
 * Sends nothing when it is there, and refuses an address that another floating IP has. After a lost answer it sends again
 * only when no task of the call shows in the grace time. Runs on the floating IP or the instance take turns. A failed or
 * cancelled run moves nothing back.
 * Answers the query `status` and the updates `pause`, `resume` and `abort`. Blocks on problems that need a person
 * (`Unauthorized`, `OutcomeUnknown`, `ResourceBusy`); with `onBlocked: 'fail'` it fails instead. With `planOnly` it
 * sends nothing and returns a plan.
 * Fails as `InvalidInput`, `InvalidRequest`, `NotFound`, `TaskFailed`, `DeadlineExceeded` or `Aborted`.
 */
export async function moveFloatingIp(
  input: MoveFloatingIpInput,
): Promise<MoveFloatingIpResult | Planned> {
  const { moveFloatingIp: operation } = Operation;
  const { prepareMoveFloatingIp: prepare } = prepareActivities;
  return changeOperation(
    { operation, input, prepare },
    move,
    ({ before, after, taskIds }, run): MoveFloatingIpResult => ({
      floatingIpId: after.id,
      address: after.address ?? null,
      instanceId: instanceIdOf(run.input),
      portId: portOf(after, run.input),
      before: { portId: before.portId ?? null, fixedIpAddress: before.fixedIp ?? null },
      taskIds,
      ledger: run.ledger.document().steps,
    }),
  );
}
