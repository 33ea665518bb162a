import type { SimulatorState } from '../../../../src/simulator/index.js';
import type { Effect, RowKind, Rows } from './rows.js';

type Plan = Rows['tasks']['plan'];
type PlanWith<F extends string> = Extract<Plan, Record<F, unknown>>;

const NEVER_COUNTED = ['taskId', 'updatedAt'];

/** What a task does, from its beginning to its end. */
export function effectsOfTask(task: Rows['tasks'], cloud: SimulatorState): Effect[] {
  const { plan } = task;
  if ('existingVolumeIds' in plan) return ofCreate(plan);
  if ('profileId' in plan) return ofProfile(plan);
  if ('done' in plan) return ofChange(plan);
  if ('before' in plan) return ofAction(plan, cloud);
  return ofDeletion(plan, cloud);
}

function each(
  rows: RowKind,
  ids: readonly string[],
  effect: Omit<Effect, 'rows' | 'id'>,
): Effect[] {
  return ids.map((id) => ({ rows, id, ...effect }));
}

function ofCreate(plan: PlanWith<'existingVolumeIds'>): Effect[] {
  const made = { does: 'makes' } as const;
  const taken = { does: 'changes' } as const;
  return [
    { rows: 'instances', id: plan.instanceId, ...made },
    ...each('volumes', plan.volumeIds, made),
    ...each('floatingIps', plan.floatingIpIds, made),
    ...each('volumes', plan.existingVolumeIds, { ...taken, fields: VOLUME_PLACE }),
    ...each('floatingIps', plan.existingFloatingIpIds, { ...taken, fields: ADDRESS_PLACE }),
    ...each('reservedFixedIps', plan.reservedIpIds, { ...taken, fields: ['instanceId'] }),
  ];
}

const VOLUME_PLACE = ['instanceId', 'status', 'device', 'attachedAt', 'isRootVolume'];
const ADDRESS_PLACE = ['instanceId', 'portId', 'fixedIpAddress'];

function ofDeletion(plan: PlanWith<'floatingIpIds'>, cloud: SimulatorState): Effect[] {
  const gone = { does: 'deletes' } as const;
  const isPart = ({ instanceId }: { instanceId: string | null }) => instanceId === plan.instanceId;
  const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
  const freed = { does: 'changes', isConsequence: true } as const;
  const snapshots = cloud.snapshots.filter(({ volumeId }) => plan.volumeIds.includes(volumeId));
  return [
    { rows: 'instances', id: plan.instanceId, ...gone },
    ...each('volumes', plan.volumeIds, gone),
    ...each('floatingIps', plan.floatingIpIds, gone),
    ...each('reservedFixedIps', plan.reservedIpIds, gone),
    ...each('snapshots', idsOf(snapshots), { ...gone, isConsequence: true }),
    ...each('volumes', idsOf(cloud.volumes.filter(isPart)), { ...freed, fields: VOLUME_PLACE }),
    ...each('floatingIps', idsOf(cloud.floatingIps.filter(isPart)), {
      ...freed,
      fields: ADDRESS_PLACE,
    }),
    ...each('reservedFixedIps', idsOf(cloud.reservedFixedIps.filter(isPart)), {
      ...freed,
      fields: ['instanceId'],
    }),
  ];
}

function ofAction(plan: PlanWith<'before'>, cloud: SimulatorState): Effect[] {
  const fields = plan.kind === 'resize_vm' ? ['flavorId', 'status', 'stale'] : ['status', 'stale'];
  const changed: Effect = { rows: 'instances', id: plan.instanceId, does: 'changes', fields };
  if (!plan.activatesProfile) return [changed];
  const active = { does: 'changes', fields: ['active', 'status', 'stale'] } as const;
  return [
    changed,
    ...each(
      'ddosProfiles',
      cloud.ddosProfiles.map(({ id }) => id),
      active,
    ),
  ];
}

const PROFILE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  update_ddos_profile: ['templateId', 'fields', 'status', 'stale', 'address'],
  activate_ddos_profile: ['active', 'bgp', 'status', 'stale'],
  deactivate_ddos_profile: ['active', 'bgp', 'status', 'stale'],
};

function ofProfile(plan: PlanWith<'profileId'>): Effect[] {
  const ref = { rows: 'ddosProfiles', id: plan.profileId } as const;
  if (plan.kind === 'create_ddos_profile') return [{ ...ref, does: 'makes' }];
  if (plan.kind === 'delete_ddos_profile') return [{ ...ref, does: 'deletes' }];
  return [{ ...ref, does: 'changes', fields: PROFILE_FIELDS[plan.kind] ?? [] }];
}

const MAKES = /^(?:create_|download_image$)/;

function ofChange(plan: PlanWith<'done'>): Effect[] {
  const [first, ...others] = plan.locked;
  const isMaking = MAKES.test(plan.kind) && first !== undefined;
  const own = isMaking ? [first] : [];
  const made = own.map((row): Effect => ({ ...row, does: 'makes' }));
  const isOwn = (rows: RowKind, id: string) =>
    own.some((row) => row.rows === rows && row.id === id);
  const done = plan.done
    .filter(({ rows, id }) => !isOwn(rows, id))
    .map(({ rows, id, change }): Effect =>
      change === null
        ? {
            rows,
            id,
            does: 'deletes',
            ...(rows === 'snapshots' &&
              plan.kind === 'delete_volume' && { isConsequence: true as const }),
          }
        : { rows, id, does: 'changes', fields: [...Object.keys(change), 'status'] },
    );
  const locked = (isMaking ? others : plan.locked).map(({ rows, id }): Effect => ({
    rows,
    id,
    does: 'changes',
    fields: NEVER_COUNTED,
    isConsequence: true,
  }));
  return [...made, ...done, ...locked];
}
