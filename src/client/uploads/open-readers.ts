import type { Client } from '@temporalio/client';
import { z } from 'zod';

import { LIST_OPERATIONS } from '../../contract/uploads.js';
import { Operation } from '../../contract/wire/names.js';
import { uploadUrl, type UploadName } from '../../contract/wire/uploads.js';
import { chunksOf } from '../../engine/core/chunks.js';
import { DEFAULT_ACCOUNT } from '../../engine/core/names.js';
import { RunEndedError, RunNotFoundError, UploadInUseError } from '../errors.js';
import type { ReadLarge } from '../intent.js';
import { listRuns } from '../list-runs.js';
import { readHistory } from '../run-history.js';
import type { RunSummary } from '../run-summary.js';
import { namedLists } from './named-lists.js';

/** Each is looked at by itself. */
const MOST_RUNS = 200;
const AT_ONCE = 8;
/** An input with its list in it is longer, or reads no other list. */
const MOST_BYTES = 128 * 1024;

/** Of what takes lists, whose items nobody looks at here. */
const batchSchema = z.object({
  operation: z.enum(LIST_OPERATIONS),
  manifest: z.object({}),
});

/**
 * The server may list a run a moment after its start: such a run is not seen, and blocks as `ManifestUnreadable`.
 * @throws UploadInUseError when an open run may still read the list
 */
export async function refuseWhileRead(
  client: Client,
  name: UploadName,
  readLarge: ReadLarge = (read) => read(),
): Promise<void> {
  const runs = await listRuns(client, {
    operation: LIST_OPERATIONS,
    // One whose id and records do not tell its account yet counts as of the default one.
    account: [name.account, DEFAULT_ACCOUNT],
    open: true,
    limit: MOST_RUNS + 1,
  });
  if (runs.length > MOST_RUNS) throw new UploadInUseError([], { count: runs.length });
  const readers: RunSummary[] = [];
  const url = uploadUrl(name);
  for (const some of chunksOf(runs, AT_ONCE)) {
    const areReaders = await Promise.all(
      some.map((run) => readLarge(() => mayRead(client, run, url))),
    );
    readers.push(...some.filter((_, at) => areReaders[at]));
  }
  if (readers.length > 0) throw new UploadInUseError(readers);
}

/** A corrected input counts. What nobody can read may name any list. */
async function mayRead(client: Client, run: RunSummary, url: string): Promise<boolean> {
  try {
    const { input } = await readHistory(client, { workflowId: run.workflowId }, MOST_BYTES);
    if (input === undefined) return true;
    if ('left' in input) return input.left === 'unreadable' || mayBeOfLists(run);
    const isNamed = namedLists(input.value).some((list) => list.url === url);
    // Items by reference may name any list.
    return isNamed || batchSchema.safeParse(input.value).success;
  } catch (error) {
    if (error instanceof RunNotFoundError || error instanceof RunEndedError) return false;
    throw error;
  }
}

/** A batch of what takes lists, as far as anybody knows. */
function mayBeOfLists({ operation, batchOf }: RunSummary): boolean {
  const isList = LIST_OPERATIONS.some((one) => one === batchOf);
  return operation === Operation.runBatch && (batchOf === undefined || isList);
}
