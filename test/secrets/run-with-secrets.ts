import type { WorkflowHandle } from '@temporalio/client';

import { statusQuery } from '../../src/engine/core/messages.js';
import type { Line } from '../support/http/open-line.js';
import type { Scenario } from '../support/runs/scenario.js';
import { scan } from './canaries.js';
import { historyDocuments } from './history-documents.js';

/** What the worker has sent, in order. */
export function recording(
  bodies: string[],
  after: (request: Request) => void = () => undefined,
): Line {
  return async (request) => {
    if (request.method !== 'GET') bodies.push(await request.clone().text());
    const response = await fetch(request);
    after(request);
    return response;
  };
}

/** The places of a run where one of these values shows, its inputs included. */
export async function hitsIn(
  { client }: Scenario,
  run: WorkflowHandle,
  values: readonly string[],
): Promise<string[]> {
  const { clean, inputs } = await historyDocuments(client, run.workflowId);
  const status = { name: 'status', text: JSON.stringify(await run.query(statusQuery)) };
  const canaries = values.map((value) => ({ place: value.slice(0, 4), value }));
  return scan([...clean, ...inputs, status], canaries);
}
