import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import type { QueryDefinition } from '@temporalio/common';

import { importReportSchema } from '../contract/operations/import-videos.js';
import { batchReportSchema } from '../contract/operations/run-batch.js';
import type { BatchReport, ImportReport } from '../contract/operations/types.js';
import { isoOf } from '../engine/core/times.js';
import { batchReportQuery, reportQuery } from '../contract/wire/messages.js';
import { statusQuery } from '../engine/core/messages.js';
import { Phase, StepState } from '../engine/core/status.js';
import { statusDocumentSchema } from '../contract/documents.js';
import type { StatusDocument, StepStatus } from '../engine/schema/status-document.js';
import {
  askRun,
  describeAsked,
  orRunError,
  toAsked,
  withDeliveries,
  type RunName,
  cutShortTimeOf,
} from './ask-run.js';
import { findUnservedAccount } from './pollers.js';

export interface Queries {
  /**
   * The status document of a run, open or closed. Needs a worker. It also says when no worker serves the
   * account of the run. One that was terminated or timed out is `failed`. @throws RunNotFoundError, RunEndedError when
   * another run has the Workflow Id of a named Run Id now
   */
  status(run: RunName): Promise<StatusDocument>;
  /**
   * The outcome of every line of an import so far, even when the run failed or was cancelled. Needs a
   * worker. @throws RunNotFoundError, RunEndedError as above
   */
  report(run: RunName): Promise<ImportReport>;
  /** The same for the items of a batch. @throws RunNotFoundError, RunEndedError as above */
  batchReport(run: RunName): Promise<BatchReport>;
}

/** Queries, which a worker answers for open and closed runs. */
export function createQueries({
  client,
  unservedAfterMs,
}: {
  client: Client;
  unservedAfterMs: number;
}): Queries {
  const unservedOf = (run: WorkflowExecutionDescription) =>
    // Some servers do not let every client describe queues. The status itself is more important.
    findUnservedAccount(client, run, unservedAfterMs).catch(() => undefined);
  const readStatus = async (name: RunName): Promise<StatusDocument> => {
    const run = await describeAsked(client, toAsked(name));
    const cutShort = cutShortOf(run);
    const [answer, unserved] = await Promise.all([
      orRunError(run.workflowId, askRun(client, run, statusQuery)),
      cutShort === undefined ? unservedOf(run) : undefined,
    ]);
    const said = statusDocumentSchema.parse(answer);
    const known = cutShort === undefined ? said : cutShortStatus(said, cutShort);
    const status = await withDeliveries(client, run, known);
    return unserved === undefined ? status : { ...status, unserved };
  };
  const ask = async <T>(name: RunName, query: QueryDefinition<T>): Promise<T> => {
    const run = await describeAsked(client, toAsked(name));
    return orRunError(run.workflowId, askRun(client, run, query));
  };
  return {
    status: readStatus,
    report: async (name) => importReportSchema.parse(await ask(name, reportQuery)),
    batchReport: async (name) => batchReportSchema.parse(await ask(name, batchReportQuery)),
  };
}

function cutShortOf(run: WorkflowExecutionDescription) {
  const at = cutShortTimeOf(run);
  return at === undefined ? undefined : { at: isoOf(at) };
}

const NOT_DONE = 'the run was terminated or timed out before this step was done';

/**
 * The status of a run that was cut short: it waits for nothing. What the API has been asked for may go on
 * there, so the outcome of an open step is not known.
 */
function cutShortStatus(document: StatusDocument, { at }: { at: string }): StatusDocument {
  const steps = document.steps.map((step) => cutShortStep(step, at));
  const ended: StatusDocument = { ...document, phase: Phase.failed, steps };
  delete ended.waiting;
  delete ended.blocked;
  delete ended.acceptsInput;
  return ended;
}

function cutShortStep(step: StepStatus, at: string): StepStatus {
  const { startedAt, endedAt, state } = step;
  if (startedAt === undefined || endedAt !== undefined) return step;
  const isUnsent = state === StepState.planned;
  return {
    ...step,
    state: isUnsent ? StepState.failed : StepState.outcomeUnknown,
    endedAt: at,
    note: NOT_DONE,
  };
}
