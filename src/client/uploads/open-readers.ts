import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { z } from 'zod';

import { LIST_OPERATIONS } from '../../contract/uploads.js';
import { Operation } from '../../contract/wire/names.js';
import { uploadUrl, type UploadName } from '../../contract/wire/uploads.js';
import { chunksOf } from '../../engine/core/chunks.js';
import { DEFAULT_ACCOUNT } from '../../engine/core/names.js';
import { describeRun } from '../ask-run.js';
import { RunNotFoundError, UploadInUseError } from '../errors.js';
import type { ReadLarge } from '../intent.js';
import { listRuns } from '../list-runs.js';
import { readHistoryOf } from '../run-history.js';
import type { RunSummary } from '../run-summary.js';
import { namedLists } from './named-lists.js';

/** Each is looked at by itself. */
const MOST_RUNS = 100;
const AT_ONCE = 8;
/** An input with its list in it is longer, or reads no other list. */
const MOST_BYTES = 128 * 1024;
/** What else the events of a run that has not begun may have: its memo, its labels, and who has started it. */
const BYTES_BESIDE = 128 * 1024;
/** The start, and a workflow task that no worker has completed: nobody can have corrected the input yet. */
const NOT_BEGUN_EVENTS = 3;
/** Of all histories that are read for one deletion: a megabyte takes a fiftieth of a second. */
const MOST_READ_BYTES = 14 * 1024 ** 2;
/** A call takes as long as so many bytes. */
const BYTES_OF_CALL = 48 * 1024;

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
  const url = uploadUrl(name);
  const looks = await forEach(runs, (run) => lookAt(client, run));
  const chosen = chooseReads(looks.filter((look) => look !== undefined));
  const readers = await forEach(chosen, async ({ run, known, described }) => {
    const isReader = known ?? (await readLarge(() => mayRead(client, { run, described }, url)));
    return isReader ? run : undefined;
  });
  const found = readers.filter((run) => run !== undefined);
  if (found.length > 0) throw new UploadInUseError(found);
}

async function forEach<T, R>(all: readonly T[], ask: (one: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  for (const some of chunksOf(all, AT_ONCE)) answers.push(...(await Promise.all(some.map(ask))));
  return answers;
}

interface Look {
  run: RunSummary;
  described: WorkflowExecutionDescription;
  /** Whether it may read the list, where its history need not be read for that. */
  known?: boolean;
}

/** What the server says of a run without its history; `undefined` when it has ended meanwhile. */
async function lookAt(client: Client, run: RunSummary): Promise<Look | undefined> {
  const described = await describeRun(client, run.workflowId).catch((error: unknown) => {
    if (!(error instanceof RunNotFoundError)) throw error;
  });
  if (described === undefined || described.closeTime !== undefined) return undefined;
  const { historyLength, historySize = 0 } = described;
  const isLong = historyLength <= NOT_BEGUN_EVENTS && historySize > MOST_BYTES + BYTES_BESIDE;
  return { run, described, ...(isLong && { known: mayBeOfLists(run) }) };
}

/** The shortest histories, up to the limit. Of the others nobody knows what they read. */
function chooseReads(looks: readonly Look[]): Look[] {
  const sizeOf = ({ described }: Look): number => described.historySize ?? 0;
  let bytes = 0;
  return looks
    .toSorted((one, other) => sizeOf(one) - sizeOf(other))
    .map((look) => {
      if (look.known !== undefined) return look;
      bytes += sizeOf(look) + BYTES_OF_CALL;
      return bytes > MOST_READ_BYTES ? { ...look, known: true } : look;
    });
}

/** A corrected input counts. What nobody can read may name any list. */
async function mayRead(client: Client, { run, described }: Look, url: string): Promise<boolean> {
  const { input } = await readHistoryOf(client, described, MOST_BYTES);
  if (input === undefined) return true;
  if ('left' in input) return input.left === 'unreadable' || mayBeOfLists(run);
  const isNamed = namedLists(input.value).some((list) => list.url === url);
  // Items by reference may name any list.
  return isNamed || batchSchema.safeParse(input.value).success;
}

/** A batch of what takes lists, as far as anybody knows. */
function mayBeOfLists({ operation, batchOf }: RunSummary): boolean {
  const isList = LIST_OPERATIONS.some((one) => one === batchOf);
  return operation === Operation.runBatch && (batchOf === undefined || isList);
}
