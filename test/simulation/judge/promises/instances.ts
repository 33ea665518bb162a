import type { SimulatorState } from '../../../../src/simulator/index.js';
import { deletable } from './deletions.js';
import { isAlive, type Rows, rowOf } from '../facts/rows.js';
import type { InputOf } from '../facts/operations.js';
import {
  askedSince,
  about,
  type Broken,
  type OperationPromise,
  type Permit,
  type Succeeded,
  when,
} from './promise.js';

type Instance = Rows['instances'];

/** Every address by which it can be reached. */
function addressesOf(cloud: SimulatorState, instance: Instance): string[] {
  const fixed = instance.ports.flatMap(({ addresses }) => addresses.map(({ ip }) => ip));
  const floating = cloud.floatingIps.filter((row) => row.instanceId === instance.id);
  return [...fixed, ...floating.map(({ address }) => address)];
}

/** What must be true of a new instance, whoever asks for it. */
function brokenInstance(
  cloud: SimulatorState,
  {
    instanceId,
    body,
    flavors,
    waitsForActive,
  }: {
    instanceId: string;
    body: InputOf<'provisionInstance'>['instance'];
    flavors: readonly string[];
    waitsForActive: boolean;
  },
): Broken[] {
  const row = rowOf(cloud, 'instances', instanceId);
  const ref = (...fields: string[]) => about('instances', instanceId, ...fields);
  if (row === undefined) return [{ says: 'its instance does not exist', about: ref() }];
  const isUp = row.status === 'ACTIVE' || (!waitsForActive && row.status !== 'ERROR');
  const isNamed = body.name === undefined || row.name === body.name;
  return [
    ...when(!isUp, `its instance is ${row.status}, not ACTIVE`, ref('status')),
    ...when(!isNamed, 'its instance has another name', ref('name')),
    ...when(!flavors.includes(row.flavorId), 'its instance has another flavor', ref('flavorId')),
    ...brokenVolumes(cloud, row, body.volumes.length),
    ...brokenFloatingIps(cloud, row, body),
  ];
}

function brokenVolumes(cloud: SimulatorState, { id, volumes }: Instance, wanted: number): Broken[] {
  const lost = volumes.filter((part) => rowOf(cloud, 'volumes', part.id)?.instanceId !== id);
  const rows = [
    ...about('instances', id, 'volumes'),
    ...lost.flatMap((part) => about('volumes', part.id)),
  ];
  return [
    ...when(
      volumes.length < wanted,
      `its instance has ${volumes.length} of ${wanted} volumes`,
      rows,
    ),
    ...when(lost.length > 0, 'a volume of its instance is not attached to it', rows),
  ];
}

function brokenFloatingIps(
  cloud: SimulatorState,
  { id }: Instance,
  { interfaces }: InputOf<'provisionInstance'>['instance'],
): Broken[] {
  const wanted = interfaces.filter(
    (each) => 'floating_ip' in each && each.floating_ip !== undefined,
  );
  const has = cloud.floatingIps.filter(({ instanceId }) => instanceId === id);
  const rows = cloud.floatingIps.flatMap((row) => about('floatingIps', row.id));
  const says = `its instance has ${has.length} of ${wanted.length} floating IPs`;
  return when(has.length < wanted.length, says, [...rows, ...about('instances', id)]);
}

function flavorsOf({ instance, alternatives = [] }: InputOf<'provisionInstance'>): string[] {
  return [instance.flavor, ...alternatives.flatMap(({ flavor }) => flavor ?? [])];
}

/** What the body takes of what exists. */
function takenBy({ interfaces, volumes }: InputOf<'provisionInstance'>['instance']): Permit[] {
  const ofVolumes = volumes.flatMap((volume): Permit[] =>
    volume.source === 'existing-volume'
      ? [{ rows: 'volumes', id: volume.volume_id, may: 'change' }]
      : [],
  );
  const ofInterfaces = interfaces.flatMap((each): Permit[] => {
    const isExisting = 'floating_ip' in each && each.floating_ip?.source === 'existing';
    return [
      ...(each.type === 'reserved_fixed_ip'
        ? [{ rows: 'reservedFixedIps', id: each.port_id, may: 'change' } as const]
        : []),
      ...(isExisting && each.floating_ip?.source === 'existing'
        ? [
            {
              rows: 'floatingIps',
              id: each.floating_ip.existing_floating_id,
              may: 'change',
            } as const,
          ]
        : []),
    ];
  });
  return [...ofVolumes, ...ofInterfaces];
}

function brokenProtection({ input, result, cloud }: Succeeded<'provisionInstance'>): Broken[] {
  const { protect } = input;
  const { protection, instanceId } = result;
  if (protect === undefined) return [];
  if (protection === undefined) return [{ says: 'its result names no protection', about: [] }];
  const profile = rowOf(cloud, 'ddosProfiles', protection.profileId);
  const rows = about('ddosProfiles', protection.profileId);
  const instance = rowOf(cloud, 'instances', instanceId);
  const isIts = instance && addressesOf(cloud, instance).includes(protection.address);
  return [
    ...when(
      profile?.active !== true ||
        profile.address !== protection.address ||
        profile.templateId !== protect.profile_template,
      'its address has no active profile as asked',
      rows,
    ),
    ...when(isIts === false, 'the protected address is not one of its instance', [
      ...cloud.floatingIps.flatMap((row) => about('floatingIps', row.id)),
      ...about('instances', instanceId),
    ]),
  ];
}

const provisionInstance: OperationPromise<'provisionInstance'> = {
  requests: 60,
  minutes: 120,
  touches: ({ input, cloud, isOf, workflowId: own }) => [
    ...takenBy(input.instance),
    // Of an earlier run of the same request.
    ...cloud.instances
      .filter((row) => isOf(own, { ...row, rows: 'instances' }))
      .map(deletable('instances')),
    ...cloud.volumes
      .filter((row) => isOf(own, { ...row, rows: 'volumes' }))
      .map(deletable('volumes')),
  ],
  broken: (ended) => {
    const { input, result, cloud } = ended;
    const { instanceId } = result;
    const row = rowOf(cloud, 'instances', instanceId);
    const real = row ? addressesOf(cloud, row) : [];
    const wrong = result.addresses.filter(({ address }) => !real.includes(address));
    return [
      ...brokenInstance(cloud, {
        instanceId,
        body: input.instance,
        flavors: flavorsOf(input),
        waitsForActive: input.waitFor !== 'task',
      }),
      ...when(
        row !== undefined && wrong.length > 0,
        'its result names an address that its instance has not',
        [
          ...about('instances', instanceId, 'ports'),
          ...cloud.floatingIps.flatMap(({ id }) => about('floatingIps', id)),
          ...ended.atStart.floatingIps.flatMap(({ id }) => about('floatingIps', id)),
        ],
      ),
      ...brokenProtection(ended),
    ];
  },
};

const resizeInstance: OperationPromise<'resizeInstance'> = {
  requests: 40,
  minutes: 90,
  once: ['resize_vm'],
  touches: ({ input: { instanceId: id } }) => [
    { rows: 'instances', id, may: 'change', fields: ['flavorId', 'status', 'stale'] },
  ],
  broken: ({ input, result, cloud }) => {
    const row = rowOf(cloud, 'instances', input.instanceId);
    const isAsAsked = row?.flavorId === input.flavor && result.flavor === input.flavor;
    return when(
      !isAsAsked,
      `its instance has the flavor ${row?.flavorId ?? 'of none: it is gone'}`,
      about('instances', input.instanceId, 'flavorId'),
    );
  },
};

const RESTARTS: readonly string[] = ['soft_reboot_vm', 'hard_reboot_vm'];

/** A restart that somebody else asks for at the same time may count as its own. */
function hasRestarted({ input, facts, run }: Succeeded<'setInstancePower'>): boolean {
  const until = run.closedAt ?? Infinity;
  return [...facts.tasks.values()].some(
    ({ plan, failure, createdAt, endsAt }) =>
      RESTARTS.includes(plan.kind) &&
      'instanceId' in plan &&
      plan.instanceId === input.instanceId &&
      failure === null &&
      endsAt >= askedSince(facts, run) - CLOCKS_APART_MS &&
      createdAt <= until + CLOCKS_APART_MS,
  );
}

const CLOCKS_APART_MS = 5 * 60_000;

const setInstancePower: OperationPromise<'setInstancePower'> = {
  requests: 40,
  minutes: 60,
  once: RESTARTS,
  touches: ({ input: { instanceId: id } }) => [
    { rows: 'instances', id, may: 'change', fields: ['status', 'stale'] },
  ],
  broken: (ended) => {
    const { input, cloud } = ended;
    const { instanceId: id, action } = input;
    const row = rowOf(cloud, 'instances', id);
    const wanted = action === 'stop' ? 'SHUTOFF' : 'ACTIVE';
    const isRestart = action === 'reboot' || action === 'reboot_hard';
    return [
      ...when(
        row?.status !== wanted,
        `its instance is ${row?.status ?? 'gone'}, not ${wanted}`,
        about('instances', id, 'status'),
      ),
      ...when(isRestart && !hasRestarted(ended), 'nothing has restarted its instance', []),
    ];
  },
};

const replaceInstance: OperationPromise<'replaceInstance'> = {
  requests: 160,
  minutes: 240,
  touches: ({ input, cloud, since }) => {
    const { instanceId: id, deleteOld, floatingIpId } = input;
    const leadsBack = rowOf(cloud, 'floatingIps', floatingIpId)?.instanceId === id;
    const attached = [cloud, ...since].flatMap(({ volumes }) =>
      volumes.filter(({ instanceId }) => instanceId === id),
    );
    const chosen =
      deleteOld?.volumes === 'delete' ? attached.map((row) => row.id) : deleteOld?.volumes;
    const volumes = Array.isArray(chosen) ? chosen : [];
    return [
      {
        rows: 'floatingIps',
        id: floatingIpId,
        may: 'change',
        fields: ['instanceId', 'portId', 'fixedIpAddress', 'status', 'tags'],
      },
      ...takenBy(input.instance),
      ...(deleteOld && !leadsBack ? [deletable('instances')({ id })] : []),
      ...(deleteOld ? volumes.map((volume) => deletable('volumes')({ id: volume })) : []),
    ];
  },
  broken: ({ input, result, cloud }) => {
    const { instanceId: newId } = result;
    const { instanceId: oldId, floatingIpId, deleteOld } = input;
    const isOldThere = isAlive(rowOf(cloud, 'instances', oldId));
    const leadsTo = rowOf(cloud, 'floatingIps', floatingIpId)?.instanceId;
    const old = about('instances', oldId);
    return [
      ...brokenInstance(cloud, {
        instanceId: newId,
        body: input.instance,
        flavors: [input.instance.flavor],
        waitsForActive: true,
      }),
      ...when(
        leadsTo !== newId,
        'the floating IP does not lead to the new instance',
        about('floatingIps', floatingIpId),
      ),
      ...when(deleteOld !== undefined && isOldThere, 'the old instance still exists', old),
      ...when(
        deleteOld === undefined && !isOldThere,
        'the old instance is gone, and it was to be kept',
        old,
      ),
      ...when(
        result.old.isDeleted && isOldThere,
        'its result calls the old instance deleted, and it exists',
        old,
      ),
    ];
  },
  notRestored: ({ input, cloud, own, atStart, named }) => {
    const { floatingIpId, instanceId: oldId } = input;
    if (
      own.some(({ effects }) =>
        effects.some(
          ({ rows, id, does }) => rows === 'instances' && id === oldId && does === 'deletes',
        ),
      )
    )
      return [];
    const now = rowOf(cloud, 'floatingIps', floatingIpId)?.instanceId;
    const was = rowOf(atStart, 'floatingIps', floatingIpId)?.instanceId;
    const isMoved = own.some(({ effects }) =>
      effects.some(({ rows, id }) => rows === 'floatingIps' && id === floatingIpId),
    );
    const isNamed = named.some(({ id }) => id === floatingIpId);
    return when(
      isMoved && was === oldId && now !== oldId && !isNamed,
      'the floating IP does not lead to the old instance any more',
      about('floatingIps', floatingIpId),
    );
  },
};

export const INSTANCE_PROMISES = {
  provisionInstance,
  resizeInstance,
  setInstancePower,
  replaceInstance,
};
