import type { SimulatorState } from '../../../src/simulator/index.js';
import { partsOfInstances, snapshotsOf } from '../../support/worlds/instances.js';
import { stateWithStores } from '../../support/worlds/kv-stores.js';
import { stateWithStorages } from '../../support/worlds/sftp-storages.js';
import { stateWithVideos } from '../../support/worlds/videos.js';
import { stateWithProfiles } from '../../support/inputs/protect-input.js';
import type { Draw } from '../time/draw.js';
import type { Chaos } from './chaos.js';

/** Of the cloud in which every seed begins. Few of each, so that runs meet at the same things. */
export const INSTANCES = [1, 2, 3] as const;
export const STORAGES = [1, 2] as const;
export const KEYS = ['alice', 'bob', 'carol'] as const;
export const STORES = [1, 2] as const;
export const VIDEOS = [1, 2, 3] as const;
/** The first two have a profile. */
export const ADDRESSES = ['203.0.113.5', '203.0.113.6', '203.0.113.7', '203.0.113.8'] as const;

/** New ids come after those of this cloud. */
const FIRST_ID = 10_000;

/** The cloud of one customer, before anybody does anything. */
export function drawCloud(draw: Draw, chaos: Chaos): SimulatorState {
  const instances = INSTANCES.map((of) => ({
    of,
    status: draw.chance(0.8) ? ('ACTIVE' as const) : ('SHUTOFF' as const),
    ...(draw.chance(0.5) && { deleteOnTermination: true }),
    ...(draw.chance(0.4) && { dataVolume: 'available' as const }),
    ...(draw.chance(0.3) && { floatingIp: 'apart' as const }),
  }));
  const profiles = stateWithProfiles(ADDRESSES.slice(0, 2), { active: draw.chance(0.5) });
  const storages = stateWithStorages(
    KEYS.map((name) => ({ name })),
    [
      { id: 1, sshKeyIds: [1] },
      { id: 2, sshKeyIds: draw.chance(0.5) ? [1, 2] : [2] },
    ],
  );
  const parts = partsOfInstances(instances);
  return {
    ...storages,
    ...parts,
    instances: listedLongAgo(parts.instances),
    volumes: listedLongAgo(parts.volumes),
    floatingIps: listedLongAgo(parts.floatingIps),
    snapshots: listedLongAgo(drawSnapshots(draw, snapshotsOf(instances).snapshots)),
    ddosProfiles: listedLongAgo(breakFirst(profiles.ddosProfiles, chaos)),
    kvStores: stateWithStores(STORES.length).kvStores,
    videos: listedLongAgo(stateWithVideos(VIDEOS.map((id) => ({ id }))).videos),
    sequence: FIRST_ID,
  };
}

/** What was there before is in every list, however far the clock of the API is behind. */
function listedLongAgo<R extends { listedAt: number }>(rows: readonly R[]): R[] {
  return rows.map((row) => ({ ...row, listedAt: 0 }));
}

/** What protects an address, as people ask for it. */
export const PROTECTION = {
  profile_template: 12,
  fields: [{ base_field: 3, field_value: [8080] }],
};

type Profiles = SimulatorState['ddosProfiles'];

/** The first profile may be as people ask for it, and not work: only its status says so. */
function breakFirst(profiles: Profiles, chaos: Chaos): Profiles {
  if (chaos.strikes('broken profile', 'the cloud') === undefined) return profiles;
  const { profile_template: templateId, fields } = PROTECTION;
  const status = { status: 'Error', error_description: 'simulated' };
  return profiles.map((profile, at) =>
    at === 0 ? { ...profile, templateId, fields, status } : profile,
  );
}

type Snapshots = SimulatorState['snapshots'];

/** Sometimes the newest one of a volume is broken: it is not the one to go back to. */
function drawSnapshots(draw: Draw, snapshots: Snapshots): Snapshots {
  const broken = snapshots
    .filter(() => draw.chance(0.2))
    .map((snapshot) => ({
      ...snapshot,
      id: snapshot.id.replace(/^00000006/, '00000007'),
      name: 'broken',
      status: 'error' as const,
      createdAt: snapshot.createdAt + 1_000,
      listedAt: snapshot.listedAt + 1_000,
    }));
  return [...snapshots, ...broken];
}
