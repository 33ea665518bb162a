/**
 * Messages of a run, shared by workflow and client. The status query and the updates answer with the
 * status document. Signals pass between runs that take turns (`engine/turns`), between a run and the
 * delivery of its webhooks, and tell what waits for long that there is a newer version.
 * `guards/message-guards.ts` says what an argument has to look like.
 */
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';

import type { StatusDocument } from '../schema/status-document.js';
import type { Deliveries, WebhookGivenUp, WebhookOrder } from './webhooks.js';

/** Answers with the status document. Needs a worker. */
export const statusQuery = defineQuery<StatusDocument>('status');

/**
 * Part of the argument of every update that an operator sends. `pause` and `restore` may be sent without one:
 * the SDK's types have no optional argument, so theirs do not show it.
 */
export interface AskedBy {
  /** Who asks, for the status and the history. A claim that nobody checks; `unknown` when left out. */
  by?: string;
}

export interface ResumeRequest {
  /**
   * The whole corrected input. The run accepts it only until it has created something, because a
   * later input could not change what exists.
   */
  input?: unknown;
  /** Asked of many runs at once. Nobody has looked at this one, so what only a person can decide about it stays open. */
  ofMany?: true;
  /** For a run that is blocked, and not for one that somebody has paused. */
  onlyBlocked?: true;
}

export interface AbortRequest {
  /** Becomes part of the failure that the run ends with. */
  reason?: string;
}

export interface ExtendRequest {
  /** Counted from now, such as `2 hours`. An update never shortens a hold. */
  holdFor: string;
}

export interface JoinRequest {
  /** For how long from now the protection should last at least, if the run ends it at all. */
  holdFor?: string;
}

/**
 * A paused run sends no new mutation. Tasks that the API has already accepted go on. Refused when
 * the run is ending.
 */
export const pauseUpdate = defineUpdate<StatusDocument>('pause');

/**
 * A paused or blocked run goes on. Refused when the run is neither. A wrong corrected input fails
 * as `InvalidInput` with every fault, and the run stays as it was.
 */
export const resumeUpdate = defineUpdate<StatusDocument, [ResumeRequest & AskedBy]>('resume');

/**
 * The run rolls back (unless `onFailure` is `keep`) and ends as `Aborted`. A blocked rollback ends
 * too: the failure names what it could not remove.
 */
export const abortUpdate = defineUpdate<StatusDocument, [AbortRequest & AskedBy]>('abort');

/**
 * One run among all that have had its Workflow Id. `runId` is that of its first history: continuing as new and a
 * reset change the Run Id, and keep this one.
 */
export interface RunRef {
  workflowId: string;
  runId: string;
}

/** A run waits for the turn that `holdTurn` holds for another run. */
export interface TurnWish {
  /** Workflow Id of the run that waits. */
  waiter: string;
  /** Workflow Ids of the runs that wait behind it. */
  behind: string[];
}

/** Names the run that has the turn. */
export interface TurnTaken {
  resource: string;
  /** The first Run Id of the lock. */
  lock: string;
  /** Workflow Id. */
  holder: string;
  /** ISO 8601. */
  since: string;
}

/** The turn is free. The first run that takes it has it. The lock that says so closes a moment later. */
export interface TurnFree {
  resource: string;
  /** Workflow Ids of the runs that still wait, in order. */
  behind: string[];
  /** The run that had the turn has not given it back: it was terminated or reset. */
  isCutShort?: true | undefined;
}

/** A run that had the turn says that it has it no longer. */
export interface TurnEnd {
  /** The first Run Id of the lock. Any other lock is not meant. */
  lock: string;
  /**
   * The next run gets the turn only then, because a call of this one may still arrive; in milliseconds
   * since the epoch. Left out: at once.
   */
  keptUntil?: number;
  /** The run never had this turn: it is not the one that took it, or was reset to before that. */
  isCutShort?: true;
}

/** Asks the run that took a turn whether it still has it. */
export interface TurnQuestion {
  resource: string;
  lock: RunRef;
}

/** A waiting run sends it to `holdTurn`. */
export const turnWantedSignal = defineSignal<[TurnWish]>('turnWanted');

/** The run that has had the turn sends it to `holdTurn`. */
export const turnEndedSignal = defineSignal<[TurnEnd]>('turnEnded');

/**
 * `holdTurn` sends it to the run that took the turn. A run that does not have that turn answers with `turnEnded`;
 * one that has it does not answer.
 */
export const turnAskedSignal = defineSignal<[TurnQuestion]>('turnAsked');

/** `holdTurn` sends it to a waiting run. */
export const turnTakenSignal = defineSignal<[TurnTaken]>('turnTaken');

/** `holdTurn` sends it to the first waiting run; a run that no longer waits passes it on. */
export const turnFreeSignal = defineSignal<[TurnFree]>('turnFree');

/**
 * The key of the account was replaced: a run that is blocked because the API refused the key tries again. Any other run
 * ignores it. A signal, because nobody waits for an answer.
 */
export const keyReplacedSignal = defineSignal('keyReplaced');

/** Extends the hold of `holdFor`, also one that has not begun yet. Refused when the run holds nothing any more, or never does. */
export const extendUpdate = defineUpdate<StatusDocument, [ExtendRequest & AskedBy]>('extend');

/** Ends the hold of `holdFor` now, or as soon as it begins, and restores the state before. Refused as `extend` is. */
export const restoreUpdate = defineUpdate<StatusDocument>('restore');

/**
 * Another caller relies on what a run holds, such as a protection. A hold lasts at least as long as this caller
 * asks for. Refused when the run restores the earlier state or undoes its work: the caller waits for its
 * end and starts another run. Answers without a document while the run checks its input.
 */
export const joinUpdate = defineUpdate<StatusDocument | undefined, [JoinRequest & AskedBy]>('join');

/**
 * An operator asks what waits for long (a hold, a lock, a delivery) to look whether a newer version of the workers
 * is current, and to go on there.
 */
export const newVersionSignal = defineSignal('newVersion');

/** A run sends it to `deliverWebhooks`. */
export const webhookOrderedSignal = defineSignal<[WebhookOrder]>('webhookOrdered');

/** `deliverWebhooks` sends it to the run, while that is open. */
export const webhookGivenUpSignal = defineSignal<[WebhookGivenUp]>('webhookGivenUp');

/** `deliverWebhooks` only: what is being sent, and what was given up. Needs a worker. */
export const deliveriesQuery = defineQuery<Deliveries>('deliveries');
