import { defaultPayloadConverter } from '@temporalio/common';
import proto from '@temporalio/proto';
import { z } from 'zod';

import type { MakerRun } from '../activities/index.js';
import type { Codec } from '../codec/codec.js';
import { Operation } from '../contract/wire/names.js';
import { DEFAULT_ACCOUNT } from '../engine/core/names.js';
import type { CutShortDeps } from './cut-short.js';
import { isNoRunId, isNotFound } from './is-not-found.js';

const { HistoryEventFilterType, WorkflowExecutionStatus } = proto.temporal.api.enums.v1;
const COMPLETED = WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED;
const END = HistoryEventFilterType.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT;

interface MakerDeps extends CutShortDeps {
  codec: Codec;
}

interface Execution {
  workflowId: string;
  runId: string;
}

/**
 * What the newest run of a Workflow Id is, and where it has made its instance; `undefined` when the server does not know it.
 * Reads the run itself: a list lags behind.
 */
export function createMakerOf(deps: MakerDeps) {
  return async (workflowId: string): Promise<MakerRun | undefined> => {
    try {
      const { type, status, runId } = await describeNewest(deps, workflowId);
      if (status !== COMPLETED || type !== Operation.provisionInstance) return { type };
      const madeAt = await readPlace(deps, { workflowId, runId });
      return { type, ...(madeAt && { madeAt }) };
    } catch (error) {
      if (isNotFound(error) || isNoRunId(error)) return undefined;
      throw error;
    }
  };
}

async function describeNewest({ connection, namespace }: MakerDeps, workflowId: string) {
  const { workflowExecutionInfo: info } =
    await connection.workflowService.describeWorkflowExecution({
      namespace,
      execution: { workflowId },
    });
  const { type, status, execution } = info ?? {};
  return { type: type?.name ?? '', status, runId: execution?.runId ?? '' };
}

/** The account by the input, which cannot change it; the project and the region by the result. */
const madeAtSchema = z
  .tuple([
    z.object({ account: z.string().default(DEFAULT_ACCOUNT) }),
    z.object({ projectId: z.number(), regionId: z.number() }),
  ])
  .transform(([input, result]) => ({ ...input, ...result }));

async function readPlace(
  { connection, namespace, codec }: MakerDeps,
  execution: Execution,
): Promise<MakerRun['madeAt']> {
  const asked = { namespace, execution };
  const [begun, ended] = await Promise.all([
    connection.workflowService.getWorkflowExecutionHistory({ ...asked, maximumPageSize: 1 }),
    connection.workflowService.getWorkflowExecutionHistory({
      ...asked,
      historyEventFilterType: END,
    }),
  ]);
  const input = begun.history?.events?.[0]?.workflowExecutionStartedEventAttributes?.input;
  const result = ended.history?.events?.at(-1)?.workflowExecutionCompletedEventAttributes?.result;
  const encoded = [input, result].flatMap((given) => given?.payloads?.slice(0, 1) ?? []);
  try {
    const { workflowId } = execution;
    const payloads = await codec.decode(encoded, { namespace, workflowId });
    const values = payloads.map((payload) => defaultPayloadConverter.fromPayload<unknown>(payload));
    return madeAtSchema.safeParse(values).data;
  } catch {
    // Without the key, nobody can read it.
    return undefined;
  }
}
