import type { Client, WorkflowExecutionDescription } from '@temporalio/client';

import type { Operation } from '../../contract/wire/names.js';
import { differingPaths } from './differing-paths.js';
import { earlierInputs } from './earlier-inputs.js';
import { hasIntent } from './intent-digest.js';
import { intentOf } from './intent-of.js';

interface Wish {
  operation: Operation;
  input: unknown;
}

/**
 * The paths at which an input differs from the one that a run works on; `undefined` when both are the
 * same request. Empty when they differ and the history, which would show where, is gone. A run whose
 * input was corrected is the same request for both inputs.
 */
export async function findDifferences(
  client: Client,
  run: WorkflowExecutionDescription,
  { operation, input }: Wish,
): Promise<string[] | undefined> {
  if (run.type !== operation) return ['operation'];
  const intent = intentOf(operation, input);
  const isSame = hasIntent(run.memo, intent);
  if (isSame === true) return undefined;
  // The digest may be missing (a client in another language), of an input that was corrected later,
  // or of a client with other defaults.
  const earlier = (await inputsOf(client, run)).map((before) => intentOf(operation, before));
  const differences = earlier.map((before) => differingPaths(before, intent));
  if (differences.some(({ length }) => length === 0)) return undefined;
  // Nothing is known about the earlier input: it counts as the same, as for a start in another language.
  if (differences.length === 0 && isSame === undefined) return undefined;
  return differences.at(-1) ?? [];
}

/** A long run continues in a new history, and starts it with its current input. */
async function inputsOf(
  client: Client,
  { workflowId, runId, raw }: WorkflowExecutionDescription,
): Promise<unknown[]> {
  const firstRunId = raw.workflowExecutionInfo?.firstRunId || runId;
  const runIds = [...new Set([firstRunId, runId])];
  const inputs = await Promise.all(
    runIds.map((id) => earlierInputs(client, { workflowId, runId: id })),
  );
  return inputs.flat();
}
