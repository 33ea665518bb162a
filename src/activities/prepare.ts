import { createPrepareAddSubtitles } from './prepare/prepare-add-subtitles.js';
import { createPrepareCallApi } from './prepare/prepare-call-api.js';
import { createPrepareDeleteInstance } from './prepare/prepare-delete-instance.js';
import { createPrepareGrantSftpAccess } from './prepare/prepare-grant-sftp-access.js';
import { createPrepareImportVideos } from './prepare/prepare-import-videos.js';
import { createPrepareListSshKeys } from './prepare/prepare-list-ssh-keys.js';
import { createPrepareListVideos } from './prepare/prepare-list-videos.js';
import { createPrepareProtectIp } from './prepare/prepare-protect-ip.js';
import { createPrepareModifyKvStore } from './prepare/prepare-modify-kv-store.js';
import { createPrepareProvisionInstance } from './prepare/prepare-provision-instance.js';
import { createPrepareReplaceInstance } from './prepare/prepare-replace-instance.js';
import { createPrepareRunBatch } from './prepare/prepare-run-batch.js';
import type { PreparedPlacedChange } from '../contract/wire/prepared.js';
import type { FirstEvent, PreparedChange, PreparedRun } from '../engine/core/prepared-run.js';
import type {
  AccountRules,
  AskedBefore,
  EarlierEnd,
  MakerRun,
  PrepareDeps,
  LeftBefore,
  PrepareSettings,
} from './prepare/prepare-deps.js';
import {
  createEarlierEndActivities,
  createRunIdActivities,
  createTurnActivities,
} from './prepare/earlier-runs.js';
import { createReceiverActivities } from './prepare/notify.js';
import {
  CHANGES,
  isChange,
  isMake,
  isPlaced,
  MAKES,
  OPERATIONS,
  operationSchemas,
  type ChangeOperation,
  type MakeOperation,
  type PlacedOperation,
} from '../contract/operations/index.js';
import type { ChangedKind } from '../contract/operations/define-change.js';
import { Operation } from '../contract/wire/names.js';
import type { CommonInput } from './prepare/common-defaults.js';
import {
  ACTION_TASKS,
  INSTANCE_ACTION_TASKS,
  TaskType,
  MAKE_TASKS,
  REMOVE_TASKS,
  STORAGE_ACTIVE,
  VOLUME_ACTION_TASKS,
} from '../contract/wire/tasks.js';
import type { RunPolicy } from '../engine/core/run-policy.js';
import { createPrepareChange } from './prepare/prepare-change.js';
import { createPrepareMake, type MakeInput } from './prepare/prepare-make.js';

export type {
  AccountRules,
  AskedBefore,
  EarlierEnd,
  LeftBefore,
  MakerRun,
  PrepareDeps,
  PrepareSettings,
};

/** One activity for each operation: a missing one does not compile. */
type PrepareOf<O extends Operation> = `prepare${Capitalize<O>}`;
type PrepareActivities = Record<
  PrepareOf<Operation>,
  (input: unknown, first?: FirstEvent) => Promise<PreparedRun>
>;

/**
 * Local activities, one per operation. They check an input that may come from any Temporal client in
 * any language. They are local because the arguments of a local activity do not enter the history a
 * second time, and the body may contain a password.
 */
export function createPrepareActivities(given: PrepareDeps) {
  const { policy } = given;
  const deps = { ...given, policy: withTypical(policy, (type) => !isOfStep(type)) };
  const listed = { ...given, policy: withTypical(policy, (type) => type === LIST) };
  return {
    ...createPrepareProvisionInstance(deps),
    ...createPrepareProtectIp(deps),
    ...createPrepareListSshKeys(deps),
    ...createPrepareListVideos(deps),
    ...createPrepareGrantSftpAccess(deps),
    ...createPrepareImportVideos(deps),
    ...createPrepareModifyKvStore(deps),
    ...createPrepareDeleteInstance(deps),
    ...createPrepareReplaceInstance(deps),
    ...createPrepareRunBatch(deps),
    ...createReceiverActivities(deps),
    ...createTurnActivities(deps),
    ...createRunIdActivities(),
    ...createEarlierEndActivities(deps),
    ...createPrepareChanges(given),
    ...createPrepareAddSubtitles(listed),
    ...createPrepareCallApi(listed),
    ...createPrepareMakes(given),
  } satisfies PrepareActivities;
}

/** The entry of waits that no task type paces. */
const LIST = 'list of the API';

/** What only operations of one step wait for. The removal of a volume is also part of others. */
const OF_STEPS: readonly string[] = [
  ...ACTION_TASKS,
  ...Object.values(MAKE_TASKS),
  REMOVE_TASKS.snapshot,
];

function isOfStep(type: string): boolean {
  return OF_STEPS.includes(type);
}

/** What has no tasks is left out. */
const TASKS_OF: Readonly<Partial<Record<ChangedKind, readonly string[]>>> = {
  instance: INSTANCE_ACTION_TASKS,
  volume: VOLUME_ACTION_TASKS,
  'floating IP': [TaskType.updateFloatingIp],
  'DDoS protection': [TaskType.deleteProfile],
  'SFTP storage': [STORAGE_ACTIVE],
};

function isWaitOf(operation: ChangeOperation, type: string): boolean {
  return type === LIST || TASKS_OF[CHANGES[operation].changes]?.includes(type) === true;
}

/** Each history records its policy: only what its run can wait for. */
function withTypical(policy: RunPolicy, isOfRun: (type: string) => boolean): RunPolicy {
  const typical = Object.entries(policy.poll.typical).filter(([type]) => isOfRun(type));
  return { ...policy, poll: { ...policy.poll, typical: Object.fromEntries(typical) } };
}

type PreparedOf<O extends ChangeOperation> = O extends PlacedOperation
  ? PreparedPlacedChange
  : PreparedChange;
type PrepareChanges = {
  [O in ChangeOperation as PrepareOf<O>]: (
    input: unknown,
    first?: FirstEvent,
  ) => Promise<PreparedOf<O>>;
};

/** The operations whose definitions say all that their runs prepare. */
function createPrepareChanges(deps: PrepareDeps): PrepareChanges;
function createPrepareChanges(
  deps: PrepareDeps,
): Record<string, ReturnType<typeof createPrepareChange>> {
  return Object.fromEntries(
    Object.values(Operation)
      .filter(isChange)
      .map((operation) => {
        const policy = withTypical(deps.policy, (type) => isWaitOf(operation, type));
        const { input: schema } = operationSchemas[operation];
        const { foundBy } = OPERATIONS[operation];
        const stated = { schema, isPlaced: isPlaced(operation), foundBy };
        return [nameOf(operation), createPrepareChange<CommonInput>(stated, { ...deps, policy })];
      }),
  );
}

type PrepareMakes = Record<PrepareOf<MakeOperation>, ReturnType<typeof createPrepareMake>>;

function createPrepareMakes(deps: PrepareDeps): PrepareMakes;
function createPrepareMakes(deps: PrepareDeps): Record<string, PrepareMakes[keyof PrepareMakes]> {
  return Object.fromEntries(
    Object.values(Operation)
      .filter(isMake)
      .map((operation) => {
        const { makes } = MAKES[operation];
        const waits: readonly string[] = [LIST, MAKE_TASKS[makes], REMOVE_TASKS[makes]];
        const policy = withTypical(deps.policy, (type) => waits.includes(type));
        const { input: schema } = operationSchemas[operation];
        const { foundBy } = OPERATIONS[operation];
        const prepare = createPrepareMake<MakeInput>({ schema, foundBy }, { ...deps, policy });
        return [nameOf(operation), prepare];
      }),
  );
}

function nameOf(operation: Operation): string {
  return `prepare${operation.charAt(0).toUpperCase()}${operation.slice(1)}`;
}
