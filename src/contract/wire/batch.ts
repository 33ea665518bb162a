/** How the items of a batch become runs. */
import type { Labels } from '../../engine/core/labels.js';
import { fromRanges } from '../../engine/core/number-ranges.js';
import { workflowIdFor, type Operation } from './names.js';

/** Every operation but the batch itself. */
export type BatchedOperation = Exclude<Operation, 'runBatch'>;

/** `stopOn`: not the type of one failure, but too many failures of any type. */
export const TOO_MANY_FAILURES = 'TooManyFailures';

/** What all items of a batch have in common. */
export interface BatchTerms {
  operation: BatchedOperation;
  account: string;
  /** Begins the request ids of the items that are named by what they say. */
  prefix: string;
  /** The field whose value is the request id of each item without one of its own: `instance.name`. */
  key?: string;
  /** Items that are named by what they say make something: none may be a changed form of one that has made it. */
  makes?: true;
  /** Fields of every item that does not have them itself. */
  defaults?: Readonly<Record<string, unknown>>;
  /** Of every run, beside its own. */
  labels?: Labels;
  /** For items that do not say it themselves. */
  onBlocked?: 'fail';
}

/** The Workflow Id of an item. */
export function itemWorkflowId(
  { operation, account }: Pick<BatchTerms, 'operation' | 'account'>,
  { id }: { id: string },
): string {
  return workflowIdFor(operation, account, id);
}

/** The request ids of a report by their lines. */
export function idsByLine(
  ids: readonly { lines: string; ids: readonly string[] }[],
): Map<number, string> {
  return new Map(
    ids.flatMap(({ lines, ids: own }) =>
      [...fromRanges(lines)].flatMap((line, at): [number, string][] => {
        const id = own[at];
        return id === undefined ? [] : [[line, id]];
      }),
    ),
  );
}

/**
 * What the run of an item does, as the batch has seen it. `open` waits for nobody; `later`: nothing was started, and it is
 * tried again.
 */
export const ItemState = {
  later: 'later',
  open: 'open',
  paused: 'paused',
  blocked: 'blocked',
  succeeded: 'succeeded',
  failed: 'failed',
} as const;
export type ItemState = (typeof ItemState)[keyof typeof ItemState];

/** The class of a paused item that its own `resume` does not free: the Temporal server gives its tasks to no worker. */
export const PAUSED_IN_TEMPORAL = 'PausedInTemporal';

/** What was seen of an item. The class and the text say why it failed, is blocked or was not started. */
export interface SeenItem {
  line: number;
  state: ItemState;
  /** Its request id, as soon as the line has been read. */
  id?: string;
  /** Its request had succeeded before this batch: nothing was done for it now. */
  before?: true;
  /** The first Run Id of the run that counts. */
  runId?: string;
  /** Somebody else has started that run: the batch waits for it, and asks nothing of it. */
  isJoined?: true;
  class?: string;
  text?: string;
}
