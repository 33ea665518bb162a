/**
 * Messages of a run, shared by workflow and client; the query and the updates answer with the status
 * document. Signals pass between runs that take turns (`engine/turns.ts`).
 *
 * Free of zod.
 */
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';

import type { ImportReport } from './operations/import-videos.js';
import type { StatusDocument } from './status-document.js';

/** Answers with the status document; needs a worker. */
export const statusQuery = defineQuery<StatusDocument>('status');

/**
 * Of `importVideos`: what became of every line so far, also of a run that failed or was cancelled;
 * needs a worker.
 */
export const reportQuery = defineQuery<ImportReport>('report');

export interface ResumeRequest {
  /**
   * The whole input anew, with the mistake corrected. Taken only while it still matters: once a
   * thing has been made, another input cannot change it.
   */
  input?: unknown;
}

export interface AbortRequest {
  /** Stands in the failure that the run ends with. */
  reason?: string;
}

export interface ExtendRequest {
  /** How long from now on, such as `2 hours`. A hold never becomes shorter by it. */
  holdFor: string;
}

/**
 * No new mutation is sent after a pause; what has been sent goes on at the API. Refused when the
 * run is ending.
 */
export const pauseUpdate = defineUpdate<StatusDocument>('pause');

/**
 * A paused or blocked run goes on. Refused when it is neither; fails as `InvalidInput` with every
 * fault when a corrected input is wrong, and the run stays as it was.
 */
export const resumeUpdate = defineUpdate<StatusDocument, [ResumeRequest]>('resume');

/**
 * The run ends as `Aborted`, after its rollback (`onFailure: 'keep'` keeps). A rollback that is
 * blocked ends too: what it could not remove is named.
 */
export const abortUpdate = defineUpdate<StatusDocument, [AbortRequest]>('abort');

/** A run waits for the turn that this workflow holds for another one. */
export interface TurnWish {
  /** Workflow Id of the run that waits. */
  waiter: string;
  /** Workflow Ids of those that come after it. */
  behind: string[];
}

/** Who has the turn that a run waits for. */
export interface TurnTaken {
  resource: string;
  /** Workflow Id. */
  holder: string;
  /** ISO 8601. */
  since: string;
}

/** The turn that a run waits for is free; the first to take it has it. */
export interface TurnFree {
  resource: string;
  /** Workflow Ids of those that still wait, in order. */
  behind: string[];
}

/** From a run that waits to `holdTurn`. */
export const turnWantedSignal = defineSignal<[TurnWish]>('turnWanted');

/** From the run whose turn it is to `holdTurn`. */
export const turnEndedSignal = defineSignal('turnEnded');

/** From `holdTurn` to a run that waits. */
export const turnTakenSignal = defineSignal<[TurnTaken]>('turnTaken');

/** From the run whose turn has ended to the first that waits. */
export const turnFreeSignal = defineSignal<[TurnFree]>('turnFree');
/** What `holdFor` keeps is kept for longer. Refused when nothing is held. */
export const extendUpdate = defineUpdate<StatusDocument, [ExtendRequest]>('extend');

/** What `holdFor` keeps is undone now instead of later. Refused when nothing is held. */
export const restoreUpdate = defineUpdate<StatusDocument>('restore');
