import { workflowInfo } from '@temporalio/workflow';

import { CUT_SHORT_MEMO, makerWithRun, PART_OF_MEMO, RAN_BEFORE_MEMO } from '../core/identity.js';
import type { FieldsOf, FirstEvent, PreparedRun } from '../core/prepared-run.js';
import { Phase } from '../core/status.js';
import type { StepStatus } from '../schema/status-document.js';
import type { Run } from './run-types.js';

/** What each history of a run hands over to the next, whatever its operation hands over beside it: plain data. */
export interface EarlierHistory<P> {
  /** A new check could fail, because a setting of the worker has changed since. */
  prepared: P;
  steps: readonly StepStatus[];
  /** When the first history began, in milliseconds since the epoch: the deadline counts from there. */
  startedAt: number;
  /** Somebody has paused the run, and nobody has resumed it yet. */
  isPaused?: boolean;
}

/** What this version knows of `EarlierHistory`. */
export const EARLIER_FIELDS = {
  // Looked at as the result of `prepare` is.
  prepared: true,
  steps: true,
  startedAt: true,
  isPaused: true,
} as const satisfies FieldsOf<EarlierHistory<PreparedRun>>;

/** What a run knows of itself. */
export type KnownRun<P extends PreparedRun> = Pick<Run<P>, 'prepared' | 'ledger' | 'startedAt'>;

export function toEarlierHistory<P extends PreparedRun>({
  prepared,
  ledger,
  startedAt,
}: KnownRun<P>): EarlierHistory<P> {
  const { steps, phase } = ledger.document();
  return { prepared, steps, startedAt, ...(phase === Phase.paused && { isPaused: true }) };
}

/** When the run began, not this history of it; in milliseconds since the epoch. */
export function startOfRun(earlier: EarlierHistory<unknown> | undefined): number {
  return earlier?.startedAt ?? workflowInfo().startTime.getTime();
}

/**
 * What the activity needs to know that prepares the run, or another input of it. After a reset it asks under another Run Id, at
 * any time: the reset brings a correction again at once, when no list of runs shows yet what it has ended.
 */
export function firstEvent(): FirstEvent {
  const { originalExecutionRunId, startTime, memo } = workflowInfo();
  const at = startTime.getTime();
  const cutShortAt = isPartOfReset() ? at : memo?.[CUT_SHORT_MEMO];
  const ranBefore = memo?.[RAN_BEFORE_MEMO];
  return {
    runId: originalExecutionRunId,
    at,
    now: Date.now(),
    ...(typeof cutShortAt === 'number' && { cutShortAt }),
    ...(typeof ranBefore === 'string' && { ranBefore }),
  };
}

/** Whether the run that has started this one as a part of itself was reset before that. */
function isPartOfReset(): boolean {
  const { parent, memo } = workflowInfo();
  const eventRunId = memo?.[PART_OF_MEMO];
  return typeof eventRunId === 'string' && parent !== undefined && eventRunId !== parent.runId;
}

/** The run before the reset was cut short just now, and this one signs with its own Run Id from here on. */
export function noteNewRun(run: Pick<Run, 'noteReset'>, maker: string, runId: string): void {
  run.noteReset({ maker: makerWithRun(maker, runId), cutShortAt: Date.now() });
}

/**
 * What was prepared, signed by this history. A reset keeps the id that its first event names, so a call of the
 * history before the reset is told from one after it.
 */
export function preparedBefore<P extends PreparedRun>({ prepared }: EarlierHistory<P>): P {
  if (!('maker' in prepared) || typeof prepared.maker !== 'string') return prepared;
  const { originalExecutionRunId } = workflowInfo();
  return { ...prepared, maker: makerWithRun(prepared.maker, originalExecutionRunId) };
}
