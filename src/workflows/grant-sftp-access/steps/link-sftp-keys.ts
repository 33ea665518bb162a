import type { SftpStorageKeysInput, SftpStorageView } from '../../../activities/sftp-storages.js';
import { FailureType } from '../../../engine/core/failures.js';
import { ResourceKind } from '../../../contract/wire/names.js';
import { StepState, type Resource } from '../../../engine/core/status.js';
import type { Within } from '../../../engine/run/activity-calls.js';
import { parkWhileBlocked } from '../../../engine/run/park-while-blocked.js';
import { failure, failureTypeOf } from '../../../engine/run/failures.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import type { EarlierRuns } from '../../../engine/send/name-earlier.js';
import {
  mergeUntilSeen,
  untilOutcomeKnown,
  type Merge,
} from '../../../engine/send/read-merge-write.js';
import type { RegisteredRollback } from '../../../engine/run/rollback.js';
import type { Run } from '../../gcore.js';
import type { AssertInput } from '../../../engine/run/restart-on-corrected-input.js';
import { createSureRead } from '../../../engine/wait/read-surely.js';
import { waitOutLostCalls } from '../../../engine/wait/wait-until.js';
import type { GrantRun, NamedKey } from './find-sftp-keys.js';
import { createKeyMerge } from './sftp-key-merge.js';
import { settledStorage } from './sftp-storage.js';

export interface LinkedKeys {
  storage: SftpStorageView;
  /** Ids of all keys that the storage had before this run sent anything. */
  before: number[];
  /** Ids that this run has linked. */
  linked: number[];
  /** Ids of keys of others that a late call of this run had removed. */
  restored: number[];
}

/** The links that this run has made: what a rollback has to undo. */
interface RunLinks {
  links: Set<number>;
  /** The links that the call adds which follows the last look. */
  latest: number[];
  /** Set while the outcome of the last call is unknown. */
  unknownSince: number | undefined;
  rollback: RegisteredRollback | undefined;
}

interface ToLink {
  keys: readonly NamedKey[];
  assertInput: AssertInput;
  /** A look shows what the calls of runs before have linked. */
  earlier: Pick<EarlierRuns, 'haveLooked'>;
}

/**
 * Links keys to an SFTP storage, in the run's turn at it, and removes no other key. Reads, merges, sends and reads again until the
 * list shows them all. Fails as `InvalidRequest` when the list would have too many keys.
 */
export async function linkSftpKeys(
  run: GrantRun,
  step: StepRecorder,
  { keys, assertInput, earlier }: ToLink,
): Promise<LinkedKeys> {
  const { storageId, cutShortAt } = run.prepared;
  await waitOutLostCalls(run, cutShortAt, 'late calls of a terminated run');
  const made: RunLinks = {
    links: new Set(),
    latest: [],
    unknownSince: undefined,
    rollback: undefined,
  };
  const name = `SFTP storage ${storageId}`;
  const read = createSureRead(run, {
    name,
    read: () => settledStorage(run, storageId),
    isListed: () => run.api.reads.isSftpStorageListed({ storageId }),
  });
  const scope: LinkScope = { step, storageId, made, read };
  const wanted = keys.map(({ id }) => id);
  const list = createKeyMerge(wanted);
  let before: number[] | undefined;
  const merge: Merge<SftpStorageView> = {
    ...mergeOf(scope),
    change({ sshKeyIds }) {
      if (cutShortAt !== undefined) earlier.haveLooked(cutShortAt);
      if (made.links.size === 0) assertInput();
      // A call that is not even begun must not take back the links of the one before.
      made.latest = [];
      before ??= sshKeyIds;
      const change = list.judge(sshKeyIds);
      if (change === undefined) return undefined;
      refuseTooMany(run, change.send, keys);
      return (within) => {
        list.sent(change.send);
        made.latest = change.missing.filter((id) => wanted.includes(id) && !made.links.has(id));
        for (const id of made.latest) made.links.add(id);
        made.rollback ??= run.onRollback(step, undoOf(run, scope));
        return replaceKeys(run, within, { storageId, sshKeyIds: change.send, seen: sshKeyIds });
      };
    },
    onTurnedAway() {
      for (const id of made.latest) made.links.delete(id);
      if (made.links.size > 0) return;
      made.rollback?.dismiss();
      made.rollback = undefined;
    },
  };
  const storage = await parkWhileBlocked(run, () => mergeUntilSeen(run, merge));
  const linked = [...made.links];
  const note = linked.length === 0 ? 'all were linked before' : `linked: ${linked.join(', ')}`;
  step.set(StepState.verified, { resources: resourcesOf(storageId, linked), note });
  return { storage, before: before ?? storage.sshKeyIds, linked, restored: list.restored() };
}

interface LinkScope {
  step: StepRecorder;
  storageId: number;
  made: RunLinks;
  read: () => Promise<SftpStorageView>;
}

/** The common part of linking and unlinking. */
function mergeOf({
  step,
  storageId,
  made,
  read,
}: LinkScope): Omit<Merge<SftpStorageView>, 'change'> {
  return {
    step,
    name: `the keys of SFTP storage ${storageId}`,
    read,
    onUnknownSince: (since) => {
      made.unknownSince = since;
    },
  };
}

function replaceKeys(run: Run, within: Within, input: SftpStorageKeysInput): Promise<unknown> {
  const summary = `keys of storage ${input.storageId}: ${input.sshKeyIds.join(', ')}`;
  return run.api.mutations.setSftpStorageKeys({ ...within, summary }, input);
}

/** Unlinks only the keys that this run linked. A deleted storage has no links. */
function undoOf(run: Run, scope: LinkScope) {
  const { storageId, made } = scope;
  const merge: Merge<SftpStorageView> = {
    ...mergeOf(scope),
    change({ sshKeyIds }) {
      const rest = sshKeyIds.filter((id) => !made.links.has(id));
      if (rest.length === sshKeyIds.length) return undefined;
      return (within) => replaceKeys(run, within, { storageId, sshKeyIds: rest, seen: sshKeyIds });
    },
  };
  return {
    undo: async () => {
      await unlessGone(async () => {
        await settleLastCall(run, scope);
        await parkWhileBlocked(run, () => mergeUntilSeen(run, merge));
      });
      return undefined;
    },
    inventory: async () => {
      const storage = await unlessGone(async () => {
        await settleLastCall(run, scope);
        return scope.read();
      });
      const linked = [...made.links].filter((id) => storage?.sshKeyIds.includes(id));
      return resourcesOf(storageId, linked);
    },
  };
}

/** A call whose answer was lost may still arrive and would link the keys again after the undo. */
async function settleLastCall(run: Run, scope: LinkScope): Promise<void> {
  const { made } = scope;
  if (made.unknownSince === undefined) return;
  const isLinked = ({ sshKeyIds }: SftpStorageView): boolean =>
    [...made.links].every((id) => sshKeyIds.includes(id));
  const { name, read } = mergeOf(scope);
  const change = (storage: SftpStorageView) =>
    isLinked(storage) ? undefined : () => Promise.resolve();
  await untilOutcomeKnown(run, { name, read, change }, made.unknownSince);
  made.unknownSince = undefined;
}

async function unlessGone<T>(act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    if (failureTypeOf(error) === FailureType.notFound) return undefined;
    throw error;
  }
}

function resourcesOf(storageId: number, keyIds: readonly number[]): Resource[] {
  return keyIds.map((id) => ({ kind: ResourceKind.sshKeyLink, id: `${storageId}/${id}` }));
}

function refuseTooMany(
  { prepared: { storageId, mostKeys } }: GrantRun,
  list: readonly number[],
  keys: readonly NamedKey[],
): void {
  if (list.length <= mostKeys) return;
  const names = keys.map(({ name }) => name).join(', ');
  throw failure(
    FailureType.invalidRequest,
    `SFTP storage ${storageId} would have ${list.length} keys with ${names}; it takes at most ${mostKeys}.`,
    { advice: 'Unlink keys that are no longer needed, then start again.' },
  );
}
