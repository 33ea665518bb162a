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
  /** Request ids of items that have none of their own: `<prefix>-<line>`. */
  prefix: string;
  /** Fields of every item that does not have them itself. */
  defaults?: Readonly<Record<string, unknown>>;
  /** Of every run, beside its own. */
  labels?: Labels;
  /** For items that do not say it themselves. */
  onBlocked?: 'fail';
}

/** The request id of an item without one of its own. */
export function defaultItemId(prefix: string, line: number): string {
  return `${prefix}-${line}`;
}

/** The Workflow Id of an item. @param id its own request id */
export function itemWorkflowId(
  { operation, account, prefix }: Pick<BatchTerms, 'operation' | 'account' | 'prefix'>,
  { line, id = defaultItemId(prefix, line) }: { line: number; id?: string | undefined },
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

/** What was seen of an item. The class and the text say why it failed, is blocked or was not started. */
export interface SeenItem {
  line: number;
  state: ItemState;
  /** Its request id, where that is not `<prefix>-<line>`. */
  id?: string;
  /** The first Run Id of the run that counts. */
  runId?: string;
  /** Somebody else has started that run: the batch waits for it, and asks nothing of it. */
  isJoined?: true;
  class?: string;
  text?: string;
}
