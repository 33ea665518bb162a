import { paths } from '../../../contract/wire/paths.js';
import type { PreparedGrantSftpAccess } from '../../../contract/wire/prepared.js';
import { Operation, ResourceKind } from '../../../contract/wire/names.js';
import type { Plan } from '../../../engine/schema/documents.js';
import { createDraft, type Draft } from '../../../engine/plan/planning.js';
import type { PlanRun } from '../../gcore.js';
import { isBeingDeleted } from '../../shared/sftp-storage.js';
import { LIST_PAGE } from '../../../contract/wire/list-walk.js';
import { faultsOf, type NamedKey } from '../steps/find-sftp-keys.js';

type GrantPlanRun = PlanRun<PreparedGrantSftpAccess>;

/** Plans `grantSftpAccess`: which keys exist, which are linked, and whether the storage has room. */
export async function planGrantSftpAccess(run: GrantPlanRun): Promise<Plan> {
  const draft = createDraft(Operation.grantSftpAccess);
  const keys = await findKeys(run, draft);
  const linked = await checkStorage(run, draft, keys);
  planCalls(
    run,
    draft,
    keys.some(({ id }) => !linked.includes(id)),
  );
  return draft.finish();
}

async function findKeys(run: GrantPlanRun, draft: Draft): Promise<NamedKey[]> {
  const { keyNames, projectId } = run.prepared;
  const found: NamedKey[][] = [];
  for (const name of keyNames) {
    const seen = await draft.look('the SSH keys for SFTP storage', () =>
      run.reads.listSshKeyPage({ offset: 0, limit: LIST_PAGE, name }),
    );
    if (seen.is !== 'there') return [];
    found.push(seen.value.keys.filter((key) => key.name === name).map(({ id }) => ({ id, name })));
  }
  for (const fault of await faultsOf(run.reads, { keyNames, projectId, found })) {
    draft.fault(fault);
  }
  return found.flat();
}

/** Returns the ids of the keys that the storage has. */
async function checkStorage(
  { prepared: { storageId, mostKeys }, reads }: GrantPlanRun,
  draft: Draft,
  keys: readonly NamedKey[],
): Promise<number[]> {
  const seen = await draft.look(`SFTP storage ${storageId}`, () =>
    reads.getSftpStorage({ storageId }),
  );
  if (seen.is === 'missing') {
    draft.fault({
      path: 'storageId',
      message: `There is no SFTP storage ${storageId}`,
      advice: 'Check the id: GET /storage/v4/sftp_storages lists them.',
    });
  }
  if (seen.is !== 'there') return [];
  const { status, sshKeyIds } = seen.value;
  reportStatus(draft, storageId, status);
  for (const { id } of keys.filter((key) => sshKeyIds.includes(key.id))) {
    draft.adopts.push({ kind: ResourceKind.sshKeyLink, id: `${storageId}/${id}` });
  }
  const total = new Set([...sshKeyIds, ...keys.map(({ id }) => id)]).size;
  if (total > mostKeys) {
    draft.fault({
      path: 'keyNames',
      message: `SFTP storage ${storageId} would have ${total} keys; it takes at most ${mostKeys}`,
      advice: 'Unlink keys that are no longer needed.',
    });
  }
  return sshKeyIds;
}

function reportStatus(draft: Draft, storageId: number, status: string): void {
  if (status === 'active') return;
  const finding = { path: 'storageId', message: `SFTP storage ${storageId} is ${status}` };
  if (isBeingDeleted({ status }))
    draft.fault({ ...finding, advice: 'Name a storage that is not being deleted.' });
  else draft.warn({ ...finding, advice: 'Nothing to do: the run waits until it is active.' });
}

function planCalls({ prepared }: GrantPlanRun, draft: Draft, changes: boolean): void {
  const storage = paths.sftpStorage(prepared.storageId);
  draft.calls.push(
    { method: 'GET', path: paths.sshKeys(), purpose: 'find the key of each name' },
    { method: 'GET', path: storage, purpose: 'read the keys that it has' },
  );
  if (!changes) return;
  draft.calls.push(
    {
      method: 'PATCH',
      path: storage,
      purpose: 'replace the list with the same list and the new keys',
    },
    { method: 'GET', path: storage, purpose: 'look until it is active and shows the keys' },
  );
  draft.irreversible.push('What the holders of the keys read or change while they have access.');
}
