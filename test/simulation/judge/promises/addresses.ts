import type { SimulatorState } from '../../../../src/simulator/index.js';
import { canonicalAddress } from '../../../../src/contract/wire/address.js';
import { rowOf, type Rows } from '../facts/rows.js';
import { isSame, isSameSet } from '../facts/values.js';
import type { InputOf } from '../facts/operations.js';
import {
  about,
  type Broken,
  type OperationPromise,
  type Succeeded,
  type Undoing,
  when,
} from './promise.js';

type Profile = Rows['ddosProfiles'];

const PROFILE_FIELDS = ['templateId', 'fields', 'active', 'bgp', 'status', 'stale', 'address'];

export function profilesOf({ ddosProfiles }: SimulatorState, address: string): Profile[] {
  const wanted = canonicalAddress(address);
  return ddosProfiles.filter((row) => canonicalAddress(row.address) === wanted);
}

interface Field {
  base_field: number;
  field_value?: unknown;
}

/** Lists in values may come back sorted. */
function hasFields({ fields }: Profile, wanted: readonly Field[]): boolean {
  const isAsAsked = ({ base_field: id, field_value: value }: Field): boolean => {
    const found = fields.find((row) => row.base_field === id);
    if (found?.value !== undefined) return true;
    const has = found?.field_value;
    return Array.isArray(has) && Array.isArray(value)
      ? isSameSet(has, value)
      : isSame(has ?? null, value ?? null);
  };
  return wanted.every(isAsAsked) && fields.length === wanted.length;
}

/** How the profile differs from what was asked. */
function brokenProfile(
  input: InputOf<'protectIp'>,
  profile: Profile | undefined,
  profileId: number | string,
): Broken[] {
  const { profile: asked, active = true, bgp } = input;
  const ref = (...fields: string[]) => about('ddosProfiles', profileId, ...fields);
  if (profile === undefined) return [{ says: 'its profile does not exist', about: ref() }];
  const isOfAddress = canonicalAddress(profile.address) === canonicalAddress(asked.ip_address);
  return [
    ...when(!isOfAddress, 'its profile is of another address', ref('address')),
    ...when(
      profile.active !== active,
      `its profile is ${profile.active ? '' : 'not '}active`,
      ref('active'),
    ),
    ...when(
      /error/i.test(profile.status.status),
      'its profile is in error',
      ref('status', 'active', 'fields', 'templateId'),
    ),
    ...when(bgp !== undefined && profile.bgp !== bgp, 'its profile has another "bgp"', ref('bgp')),
    ...when(
      profile.templateId !== asked.profile_template,
      'its profile has another template',
      ref('templateId', 'fields'),
    ),
    ...when(
      asked.fields !== undefined && !hasFields(profile, asked.fields),
      'its profile has other fields',
      ref('fields', 'templateId'),
    ),
  ];
}

/** How a profile differs from one of before. */
function differs(now: Profile | undefined, was: Profile | undefined): boolean {
  if (now === undefined || was === undefined) return now !== was;
  return (
    now.templateId !== was.templateId ||
    now.active !== was.active ||
    now.bgp !== was.bgp ||
    !isSameSet(now.fields, was.fields)
  );
}

function brokenRestoration({ result, cloud }: Succeeded<'protectIp'>): Broken[] {
  const { profileId, before } = result;
  const row = rowOf(cloud, 'ddosProfiles', profileId);
  const ref = about('ddosProfiles', profileId);
  if (before === null) return when(row !== undefined, 'the profile of its hold still exists', ref);
  const isBack =
    row !== undefined &&
    row.active === before.active &&
    row.bgp === before.bgp &&
    (before.profile.profile_template === null ||
      row.templateId === before.profile.profile_template) &&
    hasFields(row, before.profile.fields);
  return when(!isBack, 'the earlier state of the profile is not restored', ref);
}

const protectIp: OperationPromise<'protectIp'> = {
  requests: 60,
  minutes: 120,
  touches: ({ input, cloud }) => {
    const profiles = profilesOf(cloud, input.profile.ip_address);
    const meant = profiles.filter(
      ({ id }) => input.profileId === undefined || id === String(input.profileId),
    );
    return meant.map(({ id }) => ({
      rows: 'ddosProfiles',
      id,
      may: 'change',
      fields: PROFILE_FIELDS,
    }));
  },
  broken: (ended) => {
    const { input, result, cloud } = ended;
    if (result.restored) return brokenRestoration(ended);
    const says = 'its hold has ended without the earlier state';
    return [
      ...when(input.holdFor !== undefined, says, []),
      ...brokenProfile(input, rowOf(cloud, 'ddosProfiles', result.profileId), result.profileId),
    ];
  },
  notRestored: (ended) => notRestoredProfiles(ended),
};

/** Profiles that it has changed and not made are as they were before its first call. */
function notRestoredProfiles({ own, cloud, named }: Undoing<'protectIp'>): Broken[] {
  const changed = new Map<string, Profile | undefined>();
  for (const act of own) {
    for (const { rows, id, does } of act.effects) {
      if (rows !== 'ddosProfiles' || does !== 'changes' || changed.has(id)) continue;
      changed.set(id, rowOf(act.cloud, 'ddosProfiles', id));
    }
  }
  return [...changed].flatMap(([id, was]) => {
    const isMade = own.some(({ effects }) =>
      effects.some(
        (effect) => effect.rows === 'ddosProfiles' && effect.id === id && effect.does === 'makes',
      ),
    );
    const isNamed = named.some(
      (resource) => resource.kind === 'ddos-profile' && resource.id === id,
    );
    const isLeft =
      !isMade && !isNamed && was !== undefined && differs(rowOf(cloud, 'ddosProfiles', id), was);
    return when(isLeft, 'the profile is not as it was before', about('ddosProfiles', id));
  });
}

const removeProtection: OperationPromise<'removeProtection'> = {
  requests: 40,
  minutes: 90,
  touches: ({ input, cloud }) => {
    const profiles = profilesOf(cloud, input.address).filter(
      ({ managedBy }) => managedBy !== 'system',
    );
    const meant =
      input.profileId === undefined
        ? profiles
        : profiles.filter(({ id }) => id === String(input.profileId));
    const isOne = meant.length === 1 || input.profileId !== undefined;
    return isOne ? meant.map(({ id }) => ({ rows: 'ddosProfiles', id, may: 'delete' })) : [];
  },
  broken: ({ input, result, cloud }) => {
    const left = profilesOf(cloud, input.address).filter(
      ({ id }) => input.profileId === undefined || id === String(input.profileId),
    );
    const named =
      result.profileId === null ? undefined : rowOf(cloud, 'ddosProfiles', result.profileId);
    const still = named === undefined || left.includes(named) ? left : [...left, named];
    // It removes the one that it has found: somebody may have made another one, hours before its last look.
    return still.flatMap(({ id }) =>
      when(true, 'the address still has its profile', about('ddosProfiles', id)).map((broken) => ({
        ...broken,
        sinceStart: true as const,
      })),
    );
  },
};

const moveFloatingIp: OperationPromise<'moveFloatingIp'> = {
  requests: 40,
  minutes: 60,
  once: ['update_floating_ip'],
  touches: ({ input, cloud, body }) => {
    const { floatingIpId: id, fromPortId, instanceId } = input;
    const row = rowOf(cloud, 'floatingIps', id);
    const isElsewhere =
      fromPortId !== undefined && row?.portId !== fromPortId && row?.instanceId !== instanceId;
    const isNamed = body === undefined || isOfInstance(cloud, instanceId, body);
    if (isElsewhere || !isNamed) return [];
    return [
      {
        rows: 'floatingIps',
        id,
        may: 'change',
        fields: ['instanceId', 'portId', 'fixedIpAddress', 'status', 'tags'],
      },
    ];
  },
  broken: ({ input, result, cloud }) => {
    const row = rowOf(cloud, 'floatingIps', input.floatingIpId);
    const ref = about('floatingIps', input.floatingIpId);
    const { fixedIpAddress: wanted } = input;
    return [
      ...when(
        row?.instanceId !== input.instanceId,
        'the floating IP does not lead to the instance',
        ref,
      ),
      ...when(
        row?.instanceId === input.instanceId && row.portId !== result.portId,
        'its result names another port than the floating IP has',
        ref,
      ),
      ...when(
        wanted !== undefined &&
          row?.instanceId === input.instanceId &&
          row.fixedIpAddress !== wanted,
        'the floating IP leads to another private address',
        ref,
      ),
    ];
  },
};

function isOfInstance(cloud: SimulatorState, instanceId: string, body: unknown): boolean {
  const holder = rowOf(cloud, 'instances', instanceId);
  const portId =
    typeof body === 'object' && body !== null && 'port_id' in body ? body.port_id : undefined;
  return (
    holder === undefined ||
    portId === undefined ||
    holder.ports.some((port) => port.portId === portId)
  );
}

export const ADDRESS_PROMISES = { protectIp, removeProtection, moveFloatingIp };
