import type {
  ApiActivities,
  createPrepareActivities,
  ScanActivities,
  WatchActivities,
} from '../../src/activities/index.js';
import type { ChangeOperation } from '../../src/contract/operations/index.js';

/** Without those that every operation has: one that prepares asks no API, and the call of a change is one exchange. */
type ActivityName = Exclude<
  | keyof ApiActivities
  | keyof WatchActivities
  | keyof ScanActivities
  | keyof ReturnType<typeof createPrepareActivities>,
  `prepare${string}` | ChangeOperation
>;

/** What an activity does to lose no progress. */
type Way =
  /** One exchange: a failure loses nothing, and Temporal repeats the call. */
  | 'one exchange'
  /** One exchange, and before it the part of a manifest that it sends. One attempt; the engine looks after it. */
  | 'one exchange after a manifest'
  /** A few reads. One that fails is repeated in place. After a dead worker all are repeated. */
  | 'repeats a read in place'
  /** Up to thousands of reads. The same, and the next attempt goes on where the one before has stopped. */
  | 'goes on from heartbeat'
  /** One stream of bytes. One that breaks is taken up where it broke. After a dead worker it begins anew. */
  | 'takes up its stream'
  /** Waits for the watcher of its process, which repeats its lists in place. */
  | 'shares a watcher'
  /** Asks the Temporal server, or nobody. */
  | 'asks no API';

interface Row {
  way: Way;
  /** Most exchanges with the API in an attempt without faults. */
  most: number;
}

const ONE = { way: 'one exchange', most: 1 } as const;
const ASKS_NOBODY = { way: 'asks no API', most: 0 } as const;
const STREAM = { way: 'takes up its stream', most: 1 } as const;
const PAGES = { way: 'repeats a read in place', most: 20 } as const;

/** All the others. One that is missing does not compile. */
export const ACTIVITY_EXCHANGES = {
  pollTask: ONE,
  getTask: ONE,
  // One, unless more than 1,000 are active.
  hasActiveTasks: PAGES,
  // One. With more than 50 tasks, those of others are sorted out.
  listCreateTasks: { way: 'goes on from heartbeat', most: 1_100 },
  watchTask: { way: 'shares a watcher', most: 0 },

  // These lists: one, unless the API ignores the filter.
  listInstances: PAGES,
  listForeignInstances: PAGES,
  getInstance: ONE,
  createInstance: ONE,
  checkSecrets: { way: 'asks no API', most: 0 },
  deleteInstance: ONE,
  // Before it a read of each volume, which is repeated in place.
  undoInstance: ONE,
  listVolumes: PAGES,
  listMarkedVolumes: PAGES,
  getMarkedVolume: ONE,
  createVolume: ONE,
  deleteVolume: ONE,
  listActionTasks: PAGES,
  findLastSnapshot: PAGES,
  // Two, unless the API ignores the filter, and one for each snapshot that has failed or is not listed.
  getRevertibleVolume: PAGES,
  listMakeTasks: PAGES,
  listMarkedSnapshots: PAGES,
  getSnapshot: ONE,
  createSnapshot: ONE,
  deleteSnapshot: ONE,
  listFloatingIps: PAGES,
  listFloatingIpsOfInstance: PAGES,
  deleteFloatingIp: ONE,
  getPlacedFloatingIp: ONE,
  findListedFloatingIp: PAGES,
  listInterfaces: PAGES,

  listSshKeyPage: ONE,
  findSshKeys: PAGES,
  getSshKey: ONE,
  isSshKeyListed: PAGES,
  listStoragesOfKey: PAGES,
  findSftpStorages: PAGES,
  setSftpPassword: ONE,
  getVideo: ONE,
  isVideoListed: PAGES,
  compareVideo: ONE,
  // One, unless the list shows no texts.
  findSubtitles: PAGES,
  lookAtApi: ONE,
  sendApiCall: ONE,
  listRecentTasks: PAGES,
  getSftpStorage: ONE,
  isSftpStorageListed: PAGES,
  setSftpStorageKeys: ONE,
  findCloudSshKeyNames: PAGES,

  preflightProtection: { way: 'repeats a read in place', most: 3 },
  listDdosProfiles: PAGES,
  createDdosProfile: ONE,
  updateDdosProfile: ONE,
  switchDdosProfile: ONE,
  // Before it its list, which is repeated in place, where a run removes what it has made.
  deleteDdosProfile: ONE,

  createVideoBatch: { way: 'one exchange after a manifest', most: 2 },
  // Two for each marker of the caller.
  findVideoBatch: { way: 'goes on from heartbeat', most: 1_000 },
  // Four, unless the pages of the API are small.
  pollVideos: { way: 'repeats a read in place', most: 80 },
  // One, unless they are, and one for each of up to 50 that are missing.
  readVideos: { way: 'repeats a read in place', most: 70 },

  readKvStore: ONE,
  getKvStore: ONE,
  findKvStores: PAGES,
  isPartListed: PAGES,
  isInstanceListed: PAGES,
  isVolumeListed: PAGES,
  isKvStoreListed: PAGES,
  scanKvManifest: STREAM,
  surveyKvManifest: STREAM,
  sendKvChunk: { way: 'one exchange after a manifest', most: 3 },
  findKvDatatypes: { way: 'goes on from heartbeat', most: 100 },
  // The keys of a chunk, pages of a list, and 50 pages of each set.
  compareKvChunk: { way: 'goes on from heartbeat', most: 10_500 },

  listFlavors: PAGES,
  listAvailableFlavors: ONE,
  checkLimits: ONE,
  priceInstance: ONE,
  getImage: ONE,
  listTemplateParameters: ONE,
  getNetwork: ONE,
  getSubnet: ONE,
  getVolume: ONE,
  // A list too, where the volume does not say whether it has snapshots.
  getUsedVolume: { way: 'repeats a read in place', most: 51 },
  listSshKeyIds: PAGES,
  listExistingParts: { way: 'repeats a read in place', most: 50 },
  getFloatingIp: ONE,
  listProjectIds: ONE,
  listRegionIds: ONE,
  listVolumeTypes: ONE,

  scanVideos: STREAM,
  surveyVideos: STREAM,

  currentRunId: ASKS_NOBODY,
  turnCutShortAt: ASKS_NOBODY,
  endedWithoutSuccess: ASKS_NOBODY,
  leftBefore: ASKS_NOBODY,
  receiversOf: ASKS_NOBODY,
} as const satisfies Record<ActivityName, Row>;

type Table = typeof ACTIVITY_EXCHANGES;

/** The activities of one way. */
export type ActivityThat<W extends Way> = {
  [N in keyof Table]: Table[N]['way'] extends W ? N : never;
}[keyof Table];
