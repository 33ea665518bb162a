import { Operation } from '../../src/contract/wire/names.js';
import { derivedCalls } from './derived-calls.js';
import { tableOf, withGeneratedParts } from './generated-part.js';

type Row = readonly [call: string, why: string];
import { pathsOfApi } from './paths-of-api.js';

/** docs/key-scopes.md with a table for each operation: the calls that its code can make. */
export function keyScopesPage(page: string): string {
  return withGeneratedParts(page, Object.values(Operation).map(sectionOf).join('\n\n'));
}

/** Calls for which an operation has a reason of its own. For others the comment of their path says it. */
export const PARTICULAR: Partial<Record<Operation, Readonly<Record<string, string>>>> = {
  [Operation.provisionInstance]: {
    'GET /cloud/v1/instances/{project}/{region}': 'looks for what an earlier try has made',
    'GET /cloud/v1/instances/{project}/{region}/{id}': 'verifies the instance',
    'DELETE /cloud/v1/instances/{project}/{region}/{id}': 'removal',
    'GET /cloud/v1/volumes/{project}/{region}': 'removal: finds the volumes that the run made',
    'DELETE /cloud/v1/volumes/{project}/{region}/{id}': 'removal',
    'GET /cloud/v1/floatingips/{project}/{region}':
      'removal: finds the floating IPs that the run made',
    'DELETE /cloud/v1/floatingips/{project}/{region}/{id}': 'removal',
    'GET /cloud/v1/flavors/{project}/{region}': 'plan: the flavor exists',
    'GET /cloud/v1/volumes/{project}/{region}/{id}': 'plan, for a volume of yours',
    'GET /cloud/v1/floatingips/{project}/{region}/{id}': 'plan, for a floating IP of yours',
    'GET /cloud/v1/snapshots/{project}/{region}':
      'removal, when a volume does not show its snapshots: whether it has any',
    'GET /cloud/v1/ssh_keys/{project}': 'plan, with an SSH key',
    'GET /storage/v4/ssh_keys':
      'plan, with an SSH key that the project lacks: is it a key for SFTP?',
    'GET /cloud/v1/ddos/region_coverage/{region}': 'plan, with `protect`',
    'GET /cloud/v1/ddos/accessibility/{region}': 'plan, with `protect`',
    'GET /cloud/v1/ddos/profile-templates/{region}': 'plan, with `protect`',
    'GET /cloud/v1/ddos/profiles/{project}/{region}':
      'plan, with `protect`, when the instance exists',
    'DELETE /cloud/v1/ddos/profiles/{project}/{region}/{id}':
      'removal, with `protect`: the profile that its `protectIp` made',
    'PATCH /cloud/v1/ddos/profiles/{project}/{region}/{id}':
      'removal, with `protect`: the earlier state of the profile',
    'POST /cloud/v1/ddos/profiles/{project}/{region}/{id}/action':
      'removal, with `protect`: the earlier state of the profile',
  },
  [Operation.deleteInstance]: {
    'GET /cloud/v1/snapshots/{project}/{region}':
      'with `unlessSnapshots`, when a volume does not show its snapshots: whether it has any',
    'GET /cloud/v1/instances/{project}/{region}':
      'with `madeBy`: finds the instance; otherwise whether the list has one that is not found',
    'GET /cloud/v1/instances/{project}/{region}/{id}': 'what is attached, and verification',
  },
  [Operation.removeProtection]: {
    'GET /cloud/v1/ddos/profiles/{project}/{region}': 'finds the profile, and verification',
    'DELETE /cloud/v1/ddos/profiles/{project}/{region}/{id}': 'removes the profile',
  },
  [Operation.createVolume]: {
    'GET /cloud/v1/volumes/{project}/{region}': 'looks for what an earlier try has made',
    'GET /cloud/v1/volumes/{project}/{region}/{id}': 'verifies the volume',
    'DELETE /cloud/v1/volumes/{project}/{region}/{id}': 'removal',
    'GET /cloud/v1/images/{project}/{region}/{id}': 'the image exists, and fits into the size',
    'GET /cloud/v1/snapshots/{project}/{region}/{id}': 'the snapshot is available',
    'GET /cloud/v1/snapshots/{project}/{region}':
      'removal, when the volume does not show its snapshots: whether it has any',
  },
  [Operation.snapshotVolume]: {
    'GET /cloud/v1/snapshots/{project}/{region}': 'looks for what an earlier try has made',
    'GET /cloud/v1/snapshots/{project}/{region}/{id}': 'verifies the snapshot',
    'GET /cloud/v1/volumes/{project}/{region}/{id}': 'the volume can be snapshotted',
  },
  [Operation.createSshKey]: {
    'GET /storage/v4/ssh_keys': 'looks for a key of this name, and verification',
  },
  [Operation.deleteSshKey]: {
    'GET /storage/v4/ssh_keys': 'whether the list has a key that is not found',
    'GET /storage/v4/ssh_keys/{key}': 'the key before, and verification',
  },
  [Operation.replaceKvStore]: {
    'GET /fastedge/v1/kv': 'whether the list has a store that is not found',
    'GET /fastedge/v1/kv/{store}': 'the store before, and verification',
  },
  [Operation.deleteKvStore]: {
    'GET /fastedge/v1/kv': 'whether the list has a store that is not found',
    'GET /fastedge/v1/kv/{store}': 'the store before, whether apps use it, and verification',
  },
  [Operation.deleteVideo]: {
    'GET /streaming/videos': 'whether the list has a video that is not found',
  },
  [Operation.createSftpStorage]: {
    'GET /storage/v4/sftp_storages': 'looks for a storage of this name, and verification',
  },
  [Operation.updateVideo]: {
    'GET /streaming/videos': 'whether the list has a video that is not found',
  },
  [Operation.rotateSftpPassword]: {
    'GET /storage/v4/sftp_storages': 'whether the list has a storage that is not found',
    'PATCH /storage/v4/sftp_storages/{storage}': 'sets the password',
  },
  [Operation.addSubtitles]: {
    'GET /streaming/videos': 'whether the list has a video that is not found',
    'GET /streaming/videos/{video}/subtitles': 'the subtitles that the video has, and verification',
  },
  [Operation.listVideos]: {
    'GET /streaming/videos': 'what it says of the videos',
    'GET /streaming/videos/{video}': 'whether a video exists that the list lacks',
  },
  [Operation.importVideos]: {
    'GET /streaming/videos/{video}': 'whether a video exists that the list lacks',
  },
  [Operation.grantSftpAccess]: {
    'GET /storage/v4/sftp_storages': 'whether the list has a storage that is not found',
    'GET /storage/v4/sftp_storages/{storage}': 'the keys that the storage has',
    'GET /storage/v4/ssh_keys': 'the ids of the named keys',
  },
};

/** What stands below the table. */
const NOTES: Partial<Record<Operation, string>> = {
  [Operation.provisionInstance]:
    'With `protect` also the calls of `protectIp`: they are those of a run of its own.',
  [Operation.replaceInstance]:
    'Also the calls of `provisionInstance`, `moveFloatingIp` and `deleteInstance`: they are those of runs of their own.',
  [Operation.callApi]:
    'And the calls that its input names: no others than `GCORE_CALL_API` of the worker lists.',
};

function sectionOf(operation: Operation): string {
  const rows = rowsOf(operation).map(([call, reason]): Row => [`\`${call}\``, reason]);
  const note = NOTES[operation];
  const parts = [`### ${operation}`, tableOf([['Call', 'Why'], ...rows]), note];
  return parts.filter((part) => part !== undefined).join('\n\n');
}

/** The watcher makes it for every run that waits for a task. */
const WATCHED: Row = ['GET /cloud/v1/tasks', 'one list for all waiting runs'];

function rowsOf(operation: Operation): Row[] {
  const calls = derivedCalls(operation);
  const own = PARTICULAR[operation] ?? {};
  const rows = calls.map((call): Row => [call, own[call] ?? reasonOf(call)]);
  const waits = calls.includes('GET /cloud/v1/tasks/{task}');
  const isListed = calls.includes(WATCHED[0]);
  return [...rows, ...(waits && !isListed ? [WATCHED] : [])].sort(([a], [b]) =>
    inOrder(a) < inOrder(b) ? -1 : 1,
  );
}

/** The calls of one path stand together. */
function inOrder(call: string): string {
  return call.split(' ').reverse().join(' ');
}

function reasonOf(call: string): string {
  const [method = '', path] = call.split(' ');
  const known = [...pathsOfApi().values()].find((one) => one.path === path);
  const reason = known?.reasons.get(method);
  if (reason === undefined) throw new Error(`src/contract/wire/paths.ts does not say why: ${call}`);
  return reason;
}
