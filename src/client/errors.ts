import { KEPT_DAYS } from '../contract/wire/uploads.js';
import { FailureType, type FailureDetails, type Fault } from '../engine/core/failures.js';
import { countFaults, formatFaults } from '../engine/core/faults.js';
import { plural } from '../engine/core/text.js';
import type { RunSummary } from './run-summary.js';
import type { UploadUsage } from './uploads/kept-lists.js';

/** Thrown before anything is sent, when the input breaks the schema or a rule. Lists every fault. */
export class InvalidInputError extends Error {
  override readonly name = 'InvalidInputError';
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(`The input has ${plural(countFaults(faults), 'fault')}:\n${formatFaults(faults)}`);
    this.faults = faults;
  }
}

/**
 * Thrown by `start` when the request already has a run with another input. Nothing was started.
 * `onConflict: 'join'` takes that run instead.
 */
export class RequestConflictError extends Error {
  override readonly name = 'RequestConflictError';
  readonly workflowId: string;
  /** State of the run that the request has. */
  readonly state: 'open' | 'succeeded';
  /** Where the inputs differ, without the values: at most 20. Empty when the history is gone. */
  readonly paths: readonly string[];
  readonly advice: string;

  constructor(workflowId: string, state: 'open' | 'succeeded', paths: readonly string[]) {
    const where = paths.length === 0 ? '' : ` The inputs differ at ${paths.join(', ')}.`;
    const advice =
      'Use another request id for the new input, or repeat the first input. To take the run as it is, start with onConflict: "join".';
    const has = state === 'open' ? 'is open' : 'has succeeded';
    super(
      `The run ${workflowId} ${has} with another input. Nothing was started.${where} ${advice}`,
    );
    this.workflowId = workflowId;
    this.state = state;
    this.paths = paths;
    this.advice = advice;
  }
}

/** Thrown by `result` when the run failed. Has the failure type, what exists, and what to do. */
export class RunFailedError extends Error {
  override readonly name = 'RunFailedError';
  readonly workflowId: string;
  /** One of `FailureType`, or Temporal's name of the error when the run was terminated or timed out. */
  readonly type: string;
  readonly details: Partial<FailureDetails>;

  constructor(workflowId: string, failed: RunFailure) {
    super(failed.message);
    this.workflowId = workflowId;
    this.type = failed.type;
    this.details = failed.details;
  }
}

export interface RunFailure {
  type: string;
  message: string;
  details: Partial<FailureDetails>;
}

/** Thrown by `result` when the run was cancelled. The run removed what it created unless its input said to keep it. */
export class RunCancelledError extends Error {
  override readonly name = 'RunCancelledError';
  readonly workflowId: string;

  constructor(workflowId: string) {
    super(`The run ${workflowId} was cancelled.`);
    this.workflowId = workflowId;
  }
}

/** Thrown when no run has this Workflow Id in this namespace, or when its retention has passed. */
export class RunNotFoundError extends Error {
  override readonly name = 'RunNotFoundError';
  readonly workflowId: string;

  constructor(workflowId: string) {
    super(
      `There is no run "${workflowId}" in this namespace. Check the id (gcore-workflows list) and the namespace.`,
    );
    this.workflowId = workflowId;
  }
}

/** Thrown by `cancel` and by every update when the run has already ended. */
export class RunEndedError extends Error {
  override readonly name = 'RunEndedError';
  readonly workflowId: string;

  constructor(workflowId: string, state: string) {
    super(`The run ${workflowId} has already ended (${state}).`);
    this.workflowId = workflowId;
  }
}

/**
 * Thrown by `start` when the open run of the request is just undoing what it did or restoring the state
 * before, and does not end soon. Nothing was started, and nobody may rely on that run.
 */
export class RunEndingError extends Error {
  override readonly name = 'RunEndingError';
  readonly workflowId: string;
  readonly advice: string;

  constructor(workflowId: string, waitedMs: number) {
    const advice =
      'See what it waits for (explain), then start again: it can only start after that.';
    super(
      `The run ${workflowId} is restoring the state before, and has not ended within ${waitedMs / 1000} s. Nothing was started. ${advice}`,
    );
    this.workflowId = workflowId;
    this.advice = advice;
  }
}

/** What an operator, or another caller, asks of a run. */
export type RunUpdateName = 'pause' | 'resume' | 'abort' | 'extend' | 'restore' | 'join';

/** Thrown when a run refuses an update, because it does not fit the state of the run. Nothing was changed. */
export class UpdateRefusedError extends Error {
  override readonly name = 'UpdateRefusedError';
  readonly type = FailureType.refused;
  readonly workflowId: string;
  readonly details: Partial<FailureDetails>;

  constructor(workflowId: string, refusal: { message: string; details: Partial<FailureDetails> }) {
    super(refusal.message);
    this.workflowId = workflowId;
    this.details = refusal.details;
  }
}

export interface NoAnswer {
  update: RunUpdateName | 'retry';
  waitedMs: number;
  /** The update has reached the Temporal server: a worker that starts later may still carry it out. */
  mayStillCome: boolean;
  /** What the Temporal server says, when it has asked no worker. */
  because?: string;
}

/** Thrown when no worker answers for the run. The run itself is safe. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  readonly workflowId: string;
  readonly mayStillCome: boolean;
  /** What the Temporal server says, when it has asked no worker. */
  readonly because: string | undefined;

  constructor(workflowId: string, answer: NoAnswer) {
    super(sayNoAnswer(answer));
    this.workflowId = workflowId;
    this.mayStillCome = answer.mayStillCome;
    this.because = answer.because;
  }
}

function sayNoAnswer({ update, waitedMs, mayStillCome, because }: NoAnswer): string {
  if (because !== undefined) {
    return `The Temporal server asks no worker for the run now ("${because}"), so "${update}" was not carried out: nothing was changed.`;
  }
  const within = `within ${waitedMs / 1000} s`;
  return mayStillCome
    ? `"${update}" was sent, but there was no answer ${within}: its worker is slow or gone, or the Temporal server takes no more updates of this run now (it takes ten at a time). It may still be carried out.`
    : `No worker answered for the run ${within}, so "${update}" was not sent: nothing was changed.`;
}

/**
 * Why a run is not started again. `open`: it has not ended. `succeeded`: there is nothing to do.
 * `plan`: a plan is made anew instead. `forgotten`: the history with its input is gone.
 * `list-may-differ`: its failed items are lines of a list that may have changed since. `other-list`: a caller has given
 * the id of the next try to another request.
 */
export type RetryRefusal =
  'open' | 'succeeded' | 'plan' | 'forgotten' | 'list-may-differ' | 'other-list' | 'none-failed-so';

const REASONS: Record<RetryRefusal, { reason: string; advice: string }> = {
  open: {
    reason: 'is open',
    advice: 'Follow it, or end it first (cancel, abort).',
  },
  succeeded: {
    reason: 'has succeeded',
    advice: 'To do it once more, start another request with an id of its own.',
  },
  plan: {
    reason: 'is a plan, and changed nothing',
    advice: 'Make the plan again.',
  },
  forgotten: {
    reason: 'has lost its history, and with it its input',
    advice: 'Start the same request again with its input: it finds what exists.',
  },
  'other-list': {
    reason: 'has the id of the next try, but another list: it is a request of its own',
    advice:
      'Import the failed lines as a request with another id, by "lines" of the same list or by --rerun.',
  },
  'none-failed-so': {
    reason: 'has no item that failed so',
    advice: 'See what failed, and as what: its report has the class of each.',
  },
  'list-may-differ': {
    reason:
      'names its failed items by the lines of a manifest without sha256, and the manifest may have changed since',
    advice:
      'Where lines were corrected in place, and none was added, removed or moved, confirm that (sameLines). Otherwise start the failed items from a list of their own.',
  },
};

/** Thrown by `retry` when there is nothing to start again. Nothing was started. */
export class RetryRefusedError extends Error {
  override readonly name = 'RetryRefusedError';
  readonly workflowId: string;
  readonly refusal: RetryRefusal;
  readonly reason: string;
  readonly advice: string;

  constructor(workflowId: string, refusal: RetryRefusal) {
    const { reason, advice } = REASONS[refusal];
    super(`The run ${workflowId} ${reason}. Nothing was started. ${advice}`);
    this.workflowId = workflowId;
    this.refusal = refusal;
    this.reason = reason;
    this.advice = advice;
  }
}

/** Thrown when no schedule of this product has this id in this namespace. */
export class ScheduleNotFoundError extends Error {
  override readonly name = 'ScheduleNotFoundError';
  readonly scheduleId: string;

  constructor(scheduleId: string) {
    super(
      `There is no schedule "${scheduleId}" in this namespace. Check the id (gcore-workflows schedule list) and the namespace.`,
    );
    this.scheduleId = scheduleId;
  }
}

/** Thrown by `create` when the schedule exists with another content. Nothing was changed. */
export class ScheduleConflictError extends Error {
  override readonly name = 'ScheduleConflictError';
  readonly scheduleId: string;
  /** Where both differ, such as `at`, `overlap` or a field of the input; never a value. */
  readonly paths: readonly string[];
  readonly advice: string;

  constructor(scheduleId: string, paths: readonly string[]) {
    const advice =
      'Use another id, or delete the schedule and create it again. Runs that it has started continue.';
    super(
      `The schedule "${scheduleId}" exists with another content: ${paths.join(', ')}. Nothing was changed. ${advice}`,
    );
    this.scheduleId = scheduleId;
    this.paths = paths;
    this.advice = advice;
  }
}

/** Thrown by `upload` when the list would pass a limit of what is kept. Nothing of it is kept. */
export class UploadLimitError extends Error {
  override readonly name = 'UploadLimitError';
  readonly limit: 'caller' | 'account';
  /** As it would be with the list. */
  readonly usage: UploadUsage;
  readonly advice: string;

  constructor(limit: 'caller' | 'account', account: string, usage: UploadUsage) {
    const advice = `Delete a list that nobody needs (upload list, upload delete), or wait until one has been kept for ${KEPT_DAYS} days.`;
    super(`${whatIsPassed(limit, account, usage)} Nothing was kept. ${advice}`);
    this.limit = limit;
    this.usage = usage;
    this.advice = advice;
  }
}

function whatIsPassed(limit: string, name: string, { caller, account }: UploadUsage): string {
  if (limit === 'caller') {
    return `With this list you would keep ${caller.bytes} bytes of uploaded lists: the limit is ${caller.mostBytes}.`;
  }
  return account.bytes > account.mostBytes
    ? `With this list the account ${name} would keep ${account.bytes} bytes of uploaded lists: the limit is ${account.mostBytes}.`
    : `With this list the account ${name} would keep ${account.lists} uploaded lists: the limit is ${account.mostLists}.`;
}

const UNSETTLED = {
  unlisted: 'The Temporal server does not list the upload in time, so nobody can count it.',
  slow: 'The Temporal server takes too long to keep the list.',
  deleted: 'The list was deleted while it was uploaded, or another upload of it was refused.',
} as const;

/** Thrown by `upload` when the list could not be kept now. Nothing of it is kept. */
export class UploadUnsettledError extends Error {
  override readonly name = 'UploadUnsettledError';
  readonly advice = 'Upload the list again in a minute: that is safe.';

  constructor(reason: keyof typeof UNSETTLED) {
    super(UNSETTLED[reason]);
  }
}

/** Thrown when no list of this name is kept. */
export class UploadNotFoundError extends Error {
  override readonly name = 'UploadNotFoundError';

  constructor() {
    super('No uploaded list of this name is kept in this account.');
  }
}

const MOST_NAMED = 10;

/** Thrown by `deleteUpload` when open runs may still read the list. Nothing was deleted. */
export class UploadInUseError extends Error {
  override readonly name = 'UploadInUseError';
  /** Those that may be named. */
  readonly runs: readonly RunSummary[];
  readonly count: number;

  /** @param mayHide there may be others of which the caller must not know: it is told no number */
  constructor(
    runs: readonly RunSummary[],
    { count = runs.length, mayHide = false }: { count?: number; mayHide?: boolean } = {},
  ) {
    const readers = mayHide ? 'open runs' : plural(count, 'open run');
    const names = named(runs, mayHide ? runs.length : count);
    super(`The list may still be read by ${readers}${names}. Nothing was deleted.`);
    this.runs = runs;
    this.count = count;
  }
}

function named(runs: readonly RunSummary[], count: number): string {
  const ids = runs.slice(0, MOST_NAMED).map(({ workflowId }) => workflowId);
  if (ids.length === 0) return '';
  const more = count > ids.length ? ` and ${count - ids.length} more` : '';
  return `: ${ids.join(', ')}${more}`;
}
