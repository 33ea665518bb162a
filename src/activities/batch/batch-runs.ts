import type { BatchItem } from '../../contract/batch-items.js';
import type { BatchTerms, SeenItem } from '../../contract/wire/batch.js';
import type { Urgency } from '../../engine/core/names.js';

/** The run of a batch, in all its histories. */
export interface BatchMark {
  workflowId: string;
  /** Of its first history. */
  runId: string;
}

/** Whose item it is. */
export interface OfBatch {
  batch: BatchMark;
  /** Who started the batch. */
  by: string;
  urgency?: Urgency | undefined;
  /** Somebody has repeated the batch: what has a run is asked once more, and what has ended is started again. */
  again?: true;
  /** A start that finds a run which it has begun before then asks it once more, in milliseconds since the epoch. */
  repeatedAt?: number;
  /** To find what was started again since then, in milliseconds since the epoch: a run that had ended before does not count. */
  since?: number;
  /** To find also what goes on that an earlier try of the batch has started, which could not say so. */
  earlierToo?: true;
}

/** An item that goes on, as the batch has seen it last. */
export interface OpenItem extends SeenItem {
  id: string;
  runId: string;
}

export type AskedItem = BatchItem & { line: number };

/** A try of a batch that has ended. */
export interface EarlierTry {
  workflowId: string;
  runId: string;
}

type OfItem = Pick<BatchTerms, 'operation' | 'account'>;

/** What the Temporal server says about the runs of items. */
export interface BatchRuns {
  /**
   * Starts the run of an item, or joins the one that its request has. A run that this batch has started is never
   * started again, however it ended. `undefined`: nothing was started, because the batch does not want it any more.
   */
  start(terms: BatchTerms, item: AskedItem, of: OfBatch): Promise<SeenItem | undefined>;
  /** The run of an item that this batch has started, whether it knows of it or not. */
  find(terms: BatchTerms, item: AskedItem, of: OfBatch): Promise<SeenItem | undefined>;
  /**
   * The items that this batch, in whichever try, has named by what they say, and whether their runs go on or have
   * succeeded. A list of the server may lack a run of the last seconds, so the tries themselves say what they have begun.
   * Of those that the list of now lacks, also whether something that they have made may be left.
   * @param last the last try before this one, as far as that is known
   * @param listed the request ids in the list of now
   */
  named(
    terms: BatchTerms,
    last: EarlierTry | undefined,
    listed: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, boolean>>;
  /** What a try of this batch has started, as it has said, and what goes on: those of them that a list does not have. */
  lost(terms: BatchTerms, of: EarlierTry, listed: ReadonlySet<string>): Promise<string[]>;
  /** Looks at one run. */
  look(terms: OfItem, item: OpenItem): Promise<SeenItem>;
  /** Which of these may have changed, by a list that shows them some seconds late. Only a hint. */
  suspects(terms: OfItem, items: readonly OpenItem[]): Promise<ReadonlySet<number>>;
  /** Asks the very run that goes on; one that has ended needs nothing, and one that has followed it is not meant. */
  ask(
    terms: OfItem,
    item: OpenItem,
    wish: { what: 'resume' | 'cancel'; by: string },
  ): Promise<void>;
}
