import { plural } from '../../../engine/core/text.js';
import { paths } from '../../../contract/wire/paths.js';
import type { PreparedListSshKeys } from '../../../contract/wire/prepared.js';
import { Operation } from '../../../contract/wire/names.js';
import type { Plan } from '../../../engine/schema/documents.js';
import { createDraft } from '../../../engine/plan/planning.js';
import type { PlanRun } from '../../gcore.js';
import { LIST_PAGE } from '../../../contract/wire/list-walk.js';

/** Plans `listSshKeys`: whether the keys may be read, and how many there are. */
export async function planListSshKeys({
  prepared: { name },
  reads,
}: PlanRun<PreparedListSshKeys>): Promise<Plan> {
  const draft = createDraft(Operation.listSshKeys);
  const filter = name === undefined ? {} : { name };
  const seen = await draft.look('the SSH keys for SFTP storage', () =>
    reads.listSshKeyPage({ offset: 0, limit: 1, ...filter }),
  );
  const count = seen.is === 'there' ? seen.value.count : undefined;
  // Each page begins with the last row of the page before.
  const pages = Math.max(1, Math.ceil((count ?? 1) / (LIST_PAGE - 1)));
  draft.calls.push({
    method: 'GET',
    path: paths.sshKeys(),
    purpose: `read ${count === undefined ? 'all keys' : plural(count, 'key')}, ${plural(pages, 'page')}`,
  });
  return draft.finish();
}
