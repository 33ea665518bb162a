import type { SftpStorageView } from '../../../activities/sftp-storages.js';
import { FailureType } from '../../../contract/failures.js';
import { ResourceKind, StepState } from '../../../contract/status.js';
import type { Resource } from '../../../contract/resource.js';
import { parkWhileBlocked } from '../../engine/run/park-while-blocked.js';
import { failure, failureTypeOf } from '../../engine/run/failures.js';
import type { StepRecorder } from '../../engine/run/ledger.js';
import { mergeUntilSeen, untilKnown, type Merge } from '../../engine/send/read-merge-write.js';
import type { RegisteredRollback } from '../../engine/run/rollback.js';
import type { Run } from '../../engine/run/run-types.js';
import { takeTurn } from '../../engine/turns/turns.js';
import type { AssertInput } from '../../engine/run/restart-on-corrected-input.js';
import { waitOutLostCalls } from '../../engine/wait/wait-until.js';
import type { GrantRun, NamedKey } from './find-sftp-keys.js';
import { createKeyMerge } from './sftp-key-merge.js';
import { settledStorage } from './sftp-storage.js';

export interface LinkedKeys {
  storage: SftpStorageView;
  /** Ids of all keys of the storage before this run sent anything. */
  before: number[];
  /** Ids that this run has linked. */
  linked: number[];
  /** Ids of keys of others that a late call of this run had removed. */
  restored: number[];
}

/** What a run has done to the keys of a storage: what a rollback has to undo. */
interface Own {
  links: Set<number>;
  /** Those of the last call. */
  latest: number[];
  /** Set while nobody knows what came of the last call. */
  doubtSince: number | undefined;
  rollback: RegisteredRollback | undefined;
}

/**
 * Links keys to an SFTP storage, and takes no other key away. The list is read, merged, sent and read
 * again until it shows them all; fails as `InvalidRequest` when it would take too many.
 */
export async function linkSftpKeys(
  run: GrantRun,
  step: StepRecorder,
  { keys, assertInput }: { keys: readonly NamedKey[]; assertInput: AssertInput },
): Promise<LinkedKeys> {
  const { storageId, cutShortAt } = run.prepared;
  await takeTurn(run, `sftp-storage/${storageId}`);
  await waitOutLostCalls(
    run,
    cutShortAt,
    'calls of an earlier run of this request, which was terminated',
  );
  const own: Own = { links: new Set(), latest: [], doubtSince: undefined, rollback: undefined };
  const scope: Scope = { step, storageId, own };
  const wanted = keys.map(({ id }) => id);
  const list = createKeyMerge(wanted);
  let before: number[] | undefined;
  const merge: Merge<SftpStorageView> = {
    ...mergeOf(run, scope),
    change({ sshKeyIds }) {
      if (own.links.size === 0) assertInput();
      before ??= sshKeyIds;
      const change = list.judge(sshKeyIds);
      if (change === undefined) return undefined;
      refuseTooMany(run, change.send, keys);
      return () => {
        list.sent(change.send);
        own.latest = change.missing.filter((id) => wanted.includes(id) && !own.links.has(id));
        for (const id of own.latest) own.links.add(id);
        own.rollback ??= run.onRollback(step, undoOf(run, scope));
        return replaceKeys(run, storageId, change.send);
      };
    },
    onNothing() {
      for (const id of own.latest) own.links.delete(id);
      if (own.links.size > 0) return;
      own.rollback?.dismiss();
      own.rollback = undefined;
    },
  };
  const storage = await parkWhileBlocked(run, () => mergeUntilSeen(run, merge));
  const linked = [...own.links];
  const note = linked.length === 0 ? 'all were linked before' : `linked: ${linked.join(', ')}`;
  step.set(StepState.verified, { resources: resourcesOf(storageId, linked), note });
  return { storage, before: before ?? storage.sshKeyIds, linked, restored: list.restored() };
}

interface Scope {
  step: StepRecorder;
  storageId: number;
  own: Own;
}

/** What linking and unlinking have in common. */
function mergeOf(
  run: Run,
  { step, storageId, own }: Scope,
): Omit<Merge<SftpStorageView>, 'change'> {
  return {
    step,
    name: `the keys of SFTP storage ${storageId}`,
    read: () => settledStorage(run, storageId),
    onDoubt: (since) => {
      own.doubtSince = since;
    },
  };
}

function replaceKeys(run: Run, storageId: number, sshKeyIds: number[]): Promise<unknown> {
  const summary = `keys of storage ${storageId}: ${sshKeyIds.join(', ')}`;
  const { setSftpStorageKeys } = run.api.mutations;
  return setSftpStorageKeys.executeWithOptions({ summary }, [{ storageId, sshKeyIds }]);
}

/** Takes away what this run linked and nothing else; a storage that is gone has no links. */
function undoOf(run: Run, scope: Scope) {
  const { storageId, own } = scope;
  const merge: Merge<SftpStorageView> = {
    ...mergeOf(run, scope),
    change({ sshKeyIds }) {
      const rest = sshKeyIds.filter((id) => !own.links.has(id));
      if (rest.length === sshKeyIds.length) return undefined;
      return () => replaceKeys(run, storageId, rest);
    },
  };
  return {
    undo: async () => {
      await unlessGone(async () => {
        await settleDoubt(run, scope);
        await parkWhileBlocked(run, () => mergeUntilSeen(run, merge));
      });
      return undefined;
    },
    inventory: async () => {
      const storage = await unlessGone(async () => {
        await settleDoubt(run, scope);
        return settledStorage(run, storageId);
      });
      const linked = [...own.links].filter((id) => storage?.sshKeyIds.includes(id));
      return resourcesOf(storageId, linked);
    },
  };
}

/** A call whose answer was lost may still come: then there would be links after they were undone. */
async function settleDoubt(run: Run, scope: Scope): Promise<void> {
  const { own } = scope;
  if (own.doubtSince === undefined) return;
  const isLinked = ({ sshKeyIds }: SftpStorageView): boolean =>
    [...own.links].every((id) => sshKeyIds.includes(id));
  const { name, read } = mergeOf(run, scope);
  const change = (storage: SftpStorageView) =>
    isLinked(storage) ? undefined : () => Promise.resolve();
  await untilKnown(run, { name, read, change }, own.doubtSince);
  own.doubtSince = undefined;
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
    `SFTP storage ${storageId} would have ${list.length} keys with ${names}; it takes ${mostKeys}.`,
    { advice: 'Unlink keys of it that are not needed any more, then start again.' },
  );
}
