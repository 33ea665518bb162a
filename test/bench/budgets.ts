import type { RunCosts } from '../../bench/figures/costs.js';

type Budget = Omit<RunCosts, 'events'>;

/** The memo with the place, which these inputs leave to the worker. */
const PLACE_OF_WORKER = { WORKFLOW_PROPERTIES_MODIFIED: 1 };

const ASIDE = { MARKER_RECORDED: 1, UPSERT_WORKFLOW_SEARCH_ATTRIBUTES: 2 };
/** A turn: its lock is a child, which the run tells of its end. The other marker says how the lock before has ended. */
const TURN = turns(1);
/** At a volume and at the instance that has it. */
const TWO_TURNS = turns(2);
const PREFLIGHT = {
  'GET /cloud/v1/ddos/region_coverage/:id': 1,
  'GET /cloud/v1/ddos/accessibility/:id': 1,
  'GET /cloud/v1/ddos/profile-templates/:id': 1,
};

/**
 * What a plain run costs, to the byte. A change of a figure is a decision: lower it when the run costs
 * less, raise it when what is new is worth that. The figures of a case with input of its own size, such as
 * 2,500 keys, are of that input.
 */
export const BUDGETS: Readonly<Record<string, Budget>> = {
  provisionInstance: {
    requests: {
      'GET /cloud/v1/instances/:id/:id': 2,
      'POST /cloud/v2/instances/:id/:id': 1,
      'GET /cloud/v1/instances/:id/:id/:id': 1,
    },
    commands: { ...ASIDE, ACTIVITY_TASK_SCHEDULED: 2 },
    payloadBytes: 4_467,
    largestPayloadBytes: 1_372,
  },
  listSshKeys: {
    // The list is read twice.
    requests: { 'GET /storage/v4/ssh_keys': 6 },
    commands: { ...ASIDE, ACTIVITY_TASK_SCHEDULED: 6, TIMER_STARTED: 1 },
    payloadBytes: 865_640,
    largestPayloadBytes: 287_822,
  },
  listVideos: {
    requests: { 'GET /streaming/videos': 1 },
    commands: { ...ASIDE, ACTIVITY_TASK_SCHEDULED: 1 },
    payloadBytes: 4_387,
    largestPayloadBytes: 1_507,
  },
  grantSftpAccess: {
    requests: {
      'GET /storage/v4/ssh_keys': 4,
      'GET /storage/v4/sftp_storages/:id': 4,
      'PATCH /storage/v4/sftp_storages/:id': 1,
    },
    // At the storage and at two keys, which are found again in these turns.
    commands: { ...ASIDE, ...turns(3), ACTIVITY_TASK_SCHEDULED: 5, TIMER_STARTED: 1 },
    payloadBytes: 3_008,
    largestPayloadBytes: 1_239,
  },
  'protectIp, an address without a profile': {
    requests: {
      ...PREFLIGHT,
      'GET /cloud/v1/ddos/profiles/:id/:id': 3,
      'POST /cloud/v1/ddos/profiles/:id/:id': 1,
    },
    commands: { ...ASIDE, ...TURN, ACTIVITY_TASK_SCHEDULED: 4 },
    payloadBytes: 4_326,
    largestPayloadBytes: 1_514,
  },
  'protectIp, an address with a profile': {
    requests: {
      ...PREFLIGHT,
      'GET /cloud/v1/ddos/profiles/:id/:id': 3,
      'PATCH /cloud/v1/ddos/profiles/:id/:id/:id': 1,
      'POST /cloud/v1/ddos/profiles/:id/:id/:id/action': 1,
    },
    commands: { ...ASIDE, ...TURN, ACTIVITY_TASK_SCHEDULED: 5 },
    payloadBytes: 5_071,
    largestPayloadBytes: 1_514,
  },
  modifyKvStore: {
    requests: {
      'GET /fastedge/v1/kv/:id': 2,
      'PUT /fastedge/v1/kv/:id/data': 2,
      'GET /fastedge/v1/kv/:id/data/key-1': 1,
      'GET /fastedge/v1/kv/:id/data/key-2': 1,
      'GET /fastedge/v1/kv/:id/data/key-3': 1,
    },
    commands: { ...ASIDE, ...TURN, ACTIVITY_TASK_SCHEDULED: 3 },
    payloadBytes: 2_940,
    largestPayloadBytes: 1_321,
  },
  importVideos: {
    requests: { 'GET /streaming/videos': 3, 'POST /streaming/videos/batch': 1 },
    commands: {
      ...ASIDE,
      WORKFLOW_PROPERTIES_MODIFIED: 1,
      ACTIVITY_TASK_SCHEDULED: 4,
      TIMER_STARTED: 1,
    },
    payloadBytes: 5_139,
    largestPayloadBytes: 1_606,
  },
  deleteInstance: {
    requests: {
      'GET /cloud/v1/instances/:id/:id/:id': 4,
      'GET /cloud/v1/floatingips/:id/:id': 2,
      'DELETE /cloud/v1/instances/:id/:id/:id': 1,
      'GET /cloud/v1/volumes/:id/:id/:id': 6,
      // What leads nowhere is read twice.
      'GET /cloud/v1/floatingips/:id/:id/:id': 3,
      'DELETE /cloud/v1/floatingips/:id/:id/:id': 1,
    },
    // At the instance, its two volumes and its floating IP, which it finds again in these turns.
    commands: { ...ASIDE, ...turns(4), ACTIVITY_TASK_SCHEDULED: 9 },
    payloadBytes: 6_511,
    largestPayloadBytes: 1_277,
  },
  resizeInstance: {
    requests: {
      'GET /cloud/v1/instances/:id/:id/:id': 2,
      'GET /cloud/v1/flavors/:id/:id': 1,
      'POST /cloud/v1/instances/:id/:id/:id/changeflavor': 1,
    },
    commands: { ...ASIDE, ...TURN, ACTIVITY_TASK_SCHEDULED: 5 },
    payloadBytes: 3_313,
    largestPayloadBytes: 667,
  },
  setInstancePower: {
    requests: {
      'GET /cloud/v1/instances/:id/:id/:id': 2,
      'POST /cloud/v2/instances/:id/:id/:id/action': 1,
    },
    commands: { ...ASIDE, ...TURN, ACTIVITY_TASK_SCHEDULED: 4 },
    payloadBytes: 2_852,
    largestPayloadBytes: 667,
  },
  extendVolume: {
    requests: {
      'GET /cloud/v1/volumes/:id/:id/:id': 2,
      'POST /cloud/v1/volumes/:id/:id/:id/extend': 1,
    },
    commands: { ...ASIDE, ...TURN, ACTIVITY_TASK_SCHEDULED: 4 },
    payloadBytes: 2_373,
    largestPayloadBytes: 615,
  },
  attachVolume: {
    requests: {
      'GET /cloud/v1/volumes/:id/:id/:id': 2,
      'GET /cloud/v1/instances/:id/:id/:id': 1,
      'POST /cloud/v2/volumes/:id/:id/:id/attach': 1,
    },
    commands: { ...ASIDE, ...TWO_TURNS, ACTIVITY_TASK_SCHEDULED: 5 },
    payloadBytes: 2_977,
    largestPayloadBytes: 615,
  },
  detachVolume: {
    requests: {
      'GET /cloud/v1/volumes/:id/:id/:id': 2,
      'POST /cloud/v2/volumes/:id/:id/:id/detach': 1,
    },
    commands: { ...ASIDE, ...TWO_TURNS, ACTIVITY_TASK_SCHEDULED: 4 },
    payloadBytes: 2_503,
    largestPayloadBytes: 615,
  },
  // Its call names no task: the run looks for it.
  revertVolume: {
    requests: {
      'GET /cloud/v1/volumes/:id/:id/:id': 3,
      'GET /cloud/v1/snapshots/:id/:id': 3,
      'POST /cloud/v1/volumes/:id/:id/:id/revert': 1,
    },
    commands: { ...ASIDE, ...TURN, ACTIVITY_TASK_SCHEDULED: 7 },
    payloadBytes: 3_073,
    largestPayloadBytes: 615,
  },
  createSshKey: {
    requests: { 'GET /storage/v4/ssh_keys': 3, 'POST /storage/v4/ssh_keys': 1 },
    commands: { ...ASIDE, ...TURN, ACTIVITY_TASK_SCHEDULED: 3 },
    payloadBytes: 1_251,
    largestPayloadBytes: 332,
  },
  deleteSshKey: {
    requests: {
      'GET /storage/v4/ssh_keys/:id': 2,
      'GET /storage/v4/sftp_storages': 2,
      'DELETE /storage/v4/ssh_keys/:id': 1,
    },
    commands: { ...ASIDE, ...TURN, ACTIVITY_TASK_SCHEDULED: 3 },
    payloadBytes: 1_417,
    largestPayloadBytes: 348,
  },
  createKvStore: {
    requests: { 'GET /fastedge/v1/kv': 3, 'POST /fastedge/v1/kv': 1 },
    commands: { ...ASIDE, ...TURN, ACTIVITY_TASK_SCHEDULED: 3 },
    payloadBytes: 1_167,
    largestPayloadBytes: 332,
  },
  replaceKvStore: {
    // The call itself reads the store again.
    requests: { 'GET /fastedge/v1/kv/:id': 3, 'PUT /fastedge/v1/kv/:id': 1 },
    commands: { ...ASIDE, ...TURN, ACTIVITY_TASK_SCHEDULED: 2 },
    payloadBytes: 1_203,
    largestPayloadBytes: 332,
  },
  deleteKvStore: {
    requests: { 'GET /fastedge/v1/kv/:id': 2, 'DELETE /fastedge/v1/kv/:id': 1 },
    commands: { ...ASIDE, ...TURN, ACTIVITY_TASK_SCHEDULED: 2 },
    payloadBytes: 1_224,
    largestPayloadBytes: 332,
  },
  createSftpStorage: {
    requests: {
      'GET /storage/v4/sftp_storages': 4,
      'GET /storage/v4/locations': 4,
      'POST /storage/v4/sftp_storages': 1,
    },
    commands: { ...ASIDE, ...TURN, ACTIVITY_TASK_SCHEDULED: 4, TIMER_STARTED: 1 },
    payloadBytes: 1_895,
    largestPayloadBytes: 402,
  },
  rotateSftpPassword: {
    requests: { 'GET /storage/v4/sftp_storages/:id': 3, 'PATCH /storage/v4/sftp_storages/:id': 1 },
    commands: { ...ASIDE, ...TURN, ACTIVITY_TASK_SCHEDULED: 3, TIMER_STARTED: 1 },
    payloadBytes: 1_493,
    largestPayloadBytes: 402,
  },
  moveFloatingIp: {
    requests: {
      'GET /cloud/v1/floatingips/:id/:id/:id': 2,
      'GET /cloud/v1/instances/:id/:id/:id/interfaces': 2,
      'PATCH /cloud/v2/floatingips/:id/:id/:id': 1,
    },
    commands: { ...ASIDE, ...TWO_TURNS, ACTIVITY_TASK_SCHEDULED: 5 },
    payloadBytes: 2_960,
    largestPayloadBytes: 553,
  },
  deleteVideo: {
    requests: { 'GET /streaming/videos/:id': 2, 'DELETE /streaming/videos/:id': 1 },
    commands: { ...ASIDE, ...TURN, ACTIVITY_TASK_SCHEDULED: 2 },
    payloadBytes: 1_346,
    largestPayloadBytes: 340,
  },
  updateVideo: {
    requests: { 'GET /streaming/videos/:id': 3, 'PATCH /streaming/videos/:id': 1 },
    commands: { ...ASIDE, ...TURN, ACTIVITY_TASK_SCHEDULED: 2 },
    payloadBytes: 1_431,
    largestPayloadBytes: 332,
  },
  addSubtitles: {
    requests: {
      'GET /streaming/videos/:id/subtitles': 3,
      'POST /streaming/videos/:id/subtitles': 1,
    },
    commands: { ...ASIDE, ...TURN, ACTIVITY_TASK_SCHEDULED: 3 },
    payloadBytes: 1_606,
    largestPayloadBytes: 408,
  },
  callApi: {
    requests: {
      'GET /cloud/v1/volumes/:id/:id/:id': 2,
      'PATCH /cloud/v1/volumes/:id/:id/:id': 1,
    },
    commands: { ...ASIDE, ...TURN, ACTIVITY_TASK_SCHEDULED: 3 },
    payloadBytes: 1_595,
    largestPayloadBytes: 346,
  },
  removeProtection: {
    requests: {
      'GET /cloud/v1/ddos/profiles/:id/:id': 3,
      'DELETE /cloud/v1/ddos/profiles/:id/:id/:id': 1,
    },
    commands: { ...ASIDE, ...TURN, ACTIVITY_TASK_SCHEDULED: 4 },
    payloadBytes: 1_854,
    largestPayloadBytes: 472,
  },
  createVolume: {
    requests: {
      'GET /cloud/v1/volumes/:id/:id': 2,
      'POST /cloud/v1/volumes/:id/:id': 1,
      'GET /cloud/v1/volumes/:id/:id/:id': 1,
    },
    commands: { ...ASIDE, ...PLACE_OF_WORKER, ACTIVITY_TASK_SCHEDULED: 4 },
    payloadBytes: 2_726,
    largestPayloadBytes: 644,
  },
  snapshotVolume: {
    requests: {
      'GET /cloud/v1/snapshots/:id/:id': 2,
      'GET /cloud/v1/volumes/:id/:id/:id': 1,
      'POST /cloud/v1/snapshots/:id/:id': 1,
      'GET /cloud/v1/snapshots/:id/:id/:id': 1,
    },
    commands: { ...ASIDE, ...TURN, ...PLACE_OF_WORKER, ACTIVITY_TASK_SCHEDULED: 5 },
    payloadBytes: 3_219,
    largestPayloadBytes: 651,
  },
};

function turns(count: number) {
  return {
    MARKER_RECORDED: count + 1,
    START_CHILD_WORKFLOW_EXECUTION_INITIATED: count,
    SIGNAL_EXTERNAL_WORKFLOW_EXECUTION_INITIATED: count,
  };
}
