/** What a deletion of an instance may take along, and what it promises. */
import type { SimulatorState } from '../../../../src/simulator/index.js';
import { type Rows, rowOf } from '../facts/rows.js';
import type { InputOf } from '../facts/operations.js';
import {
  about,
  type Asked,
  type Broken,
  type OperationPromise,
  type Permit,
  type Succeeded,
  when,
} from './promise.js';

type Instance = Rows['instances'];

export function deletable(rows: Permit['rows']) {
  return ({ id }: { id: string }): Permit => ({ rows, id, may: 'delete' });
}

/** The instances that a deletion means. An id means something in its region alone. */
function meantBy(
  input: InputOf<'deleteInstance'>,
  { cloud, isOf }: Pick<Asked<'deleteInstance'>, 'cloud' | 'isOf'>,
): Instance[] {
  const { instanceId, madeBy } = input;
  return cloud.instances.filter((row) =>
    madeBy === undefined
      ? row.id === instanceId && isIn(input, row)
      : isOf(madeBy, { ...row, rows: 'instances' }),
  );
}

function isIn({ regionId }: InputOf<'deleteInstance'>, row: Pick<Instance, 'regionId'>): boolean {
  return regionId === undefined || row.regionId === regionId;
}

/** Attached to it, and to no other instance. */
function isOnlyOf(
  cloud: SimulatorState,
  volumeId: string,
  instanceIds: readonly string[],
): boolean {
  const holder = rowOf(cloud, 'volumes', volumeId)?.instanceId ?? null;
  const others = cloud.instances.filter(
    ({ id, volumes }) => !instanceIds.includes(id) && volumes.some((part) => part.id === volumeId),
  );
  return others.length === 0 && (holder === null || instanceIds.includes(holder));
}

function deletableVolumes(
  asked: Asked<'deleteInstance'>,
  instanceIds: readonly string[],
): Permit[] {
  const { input, cloud, since, isOf } = asked;
  const { volumes: choice, madeBy } = input;
  if (choice === 'keep') return [];
  const wasPart = (id: string): boolean =>
    [cloud, ...since].some((state) =>
      instanceIds.includes(rowOf(state, 'volumes', id)?.instanceId ?? ''),
    );
  const isChosen = (row: Rows['volumes']): boolean =>
    choice === 'delete'
      ? wasPart(row.id) || (madeBy !== undefined && isOf(madeBy, { ...row, rows: 'volumes' }))
      : choice.includes(row.id);
  return cloud.volumes
    .filter((row) => isChosen(row) && isOnlyOf(cloud, row.id, instanceIds))
    .map(deletable('volumes'));
}

function deletableAddresses(
  { input, cloud, since }: Asked<'deleteInstance'>,
  instanceIds: readonly string[],
): Permit[] {
  const { floatingIps: choice } = input;
  if (choice === 'keep') return [];
  const isPart = (state: SimulatorState, id: string): boolean =>
    instanceIds.includes(rowOf(state, 'floatingIps', id)?.instanceId ?? '');
  return cloud.floatingIps
    .filter(({ id, instanceId }) => {
      const isFree = instanceId === null || instanceIds.includes(instanceId);
      const isChosen =
        choice === 'delete'
          ? [cloud, ...since].some((state) => isPart(state, id))
          : choice.includes(id);
      return isFree && isChosen;
    })
    .map(deletable('floatingIps'));
}

function idsMeant(asked: Asked<'deleteInstance'>): string[] {
  const { input, since, isOf } = asked;
  const ids = [asked.cloud, ...since].flatMap((cloud) => meantBy(input, { cloud, isOf }));
  return [
    ...new Set([
      ...ids.map(({ id }) => id),
      ...(input.instanceId === undefined ? [] : [input.instanceId]),
    ]),
  ];
}

/** Volumes and addresses of the start, that this deletion has not chosen. */
function partsAtStart(
  { input, atStart }: Succeeded<'deleteInstance'>,
  instanceIds: readonly string[],
) {
  const isPart = ({ instanceId }: { instanceId: string | null }) =>
    instanceIds.includes(instanceId ?? '');
  const split = (rows: 'volumes' | 'floatingIps', choice: InputOf<'deleteInstance'>['volumes']) => {
    const parts = atStart[rows].filter(isPart).map(({ id }) => id);
    if (choice === 'delete') return { chosen: parts, kept: [] };
    if (choice === 'keep') return { chosen: [], kept: parts };
    return { chosen: choice, kept: parts.filter((id) => !choice.includes(id)) };
  };
  return {
    volumes: split('volumes', input.volumes),
    floatingIps: split('floatingIps', input.floatingIps),
  };
}

function sinceStart(broken: readonly Broken[]): Broken[] {
  return broken.map((each) => ({ ...each, sinceStart: true }));
}

function brokenParts(ended: Succeeded<'deleteInstance'>, instanceIds: readonly string[]): Broken[] {
  const { cloud, atStart, result } = ended;
  const parts = partsAtStart(ended, instanceIds);
  return (['volumes', 'floatingIps'] as const).flatMap((rows) => {
    const { chosen, kept } = parts[rows];
    // What was attached to an instance that was gone nobody can see.
    const known = chosen.filter((id) => {
      const row = rowOf(atStart, rows, id);
      return row !== undefined && isIn(ended.input, row);
    });
    // Another deletion may have taken the instance alone.
    const isNamed = (id: string): boolean => result.alreadyGone && result.kept[rows].includes(id);
    const there = known.filter((id) => {
      if (isNamed(id)) return false;
      const holder = rowOf(cloud, rows, id)?.instanceId;
      return holder !== undefined && (holder === null || instanceIds.includes(holder));
    });
    const named = result.deleted[rows].filter((id) => rowOf(cloud, rows, id) !== undefined);
    const lost = kept.filter(
      (id) => rowOf(atStart, rows, id) !== undefined && rowOf(cloud, rows, id) === undefined,
    );
    const what = rows === 'volumes' ? 'volume' : 'floating IP';
    const refs = (ids: readonly string[]) => ids.flatMap((id) => about(rows, id));
    return [
      ...sinceStart(when(there.length > 0, `a chosen ${what} still exists`, refs(there))),
      ...when(named.length > 0, `its result names a ${what} as deleted that exists`, refs(named)),
      ...sinceStart(when(lost.length > 0, `a ${what} that was to be kept is gone`, refs(lost))),
    ];
  });
}

export const deleteInstance: OperationPromise<'deleteInstance'> = {
  requests: 60,
  minutes: 120,
  touches: (asked) => {
    const ids = idsMeant(asked);
    const { unlessFloatingIpId: keeper } = asked.input;
    const leadsTo =
      keeper === undefined ? undefined : rowOf(asked.cloud, 'floatingIps', keeper)?.instanceId;
    const isKept = leadsTo !== undefined && leadsTo !== null && ids.includes(leadsTo);
    return [
      ...(isKept ? [] : ids.map((id) => deletable('instances')({ id }))),
      ...deletableVolumes(asked, ids),
      ...deletableAddresses(asked, ids),
    ];
  },
  broken: (ended) => {
    const { input, cloud, atStart, facts, result } = ended;
    const isOf = isMadeBy(ended);
    const before = meantBy(input, { cloud: atStart, isOf });
    const now = meantBy(input, { cloud, isOf });
    const ids = [...before, ...now].map(({ id }) => id);
    const isUnknown =
      input.madeBy !== undefined &&
      result.alreadyGone &&
      ids.length === 0 &&
      !facts.acts.some(
        (act) =>
          act.workflowId === input.madeBy && act.effects.some(({ rows }) => rows === 'instances'),
      );
    return [
      ...when(
        now.length > 0,
        'its instance still exists',
        now.flatMap(({ id }) => about('instances', id)),
      ),
      ...when(
        isUnknown,
        `it counts as done, and ${String(input.madeBy)} has never made an instance`,
        [],
      ),
      ...brokenParts(ended, ids),
    ];
  },
};

/** Whether a request has made a row, as far as this world knows. */
export function isMadeBy({
  facts,
}: Pick<Succeeded<'deleteInstance'>, 'facts'>): Asked<'deleteInstance'>['isOf'] {
  return (workflowId, row) => {
    const marker = row.tags?.['workflow-request'];
    const isMarked = marker?.endsWith(`/${workflowId}`) === true && workflowId !== '';
    return isMarked || facts.makerOf(row)?.workflowId === workflowId;
  };
}
