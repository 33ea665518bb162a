import { randomUUID } from 'node:crypto';

import type { WorkflowHandle } from '@temporalio/client';
import proto from '@temporalio/proto';

import type { Simulator } from '../src/simulator/index.js';
import { provisionInput } from '../test/support/inputs/provision-input.js';
import type { Scenario } from '../test/support/runs/scenario.js';
import { createNaiveWorker } from './naive/create-naive-worker.js';
import { countBy } from './statistics.js';

/** The cost of one run, and how late it noticed the end of its task. */
export interface RunFigures {
  events: number;
  /** Events by type, such as `TIMER_FIRED`. */
  eventTypes: ReadonlyMap<string, number>;
  historyBytes: number;
  requests: number;
  taskReads: number;
  /** From the end of the task to the request that saw it. */
  noticedAfterSeconds: number;
  seconds: number;
}

/** A run of the product that has the simulator and the workers to itself. */
export async function runProduct({ start, simulator }: Scenario): Promise<RunFigures> {
  return measureRun(await start('provisionInstance', provisionInput()), simulator);
}

/** The usual timer loop: `naiveProvision`. */
export async function runNaive(scenario: Scenario, pollMs: number): Promise<RunFigures> {
  const { client, connectNative, api, simulator } = scenario;
  const taskQueue = `naive-${randomUUID()}`;
  const connection = await connectNative();
  const worker = await createNaiveWorker({ connection, taskQueue, api });
  const { instance: body } = provisionInput();
  return worker.runUntil(async () => {
    const run = await client.workflow.start('naiveProvision', {
      workflowId: taskQueue,
      taskQueue,
      args: [{ taskQueue, body, pollMs }],
    });
    return measureRun(run, simulator);
  });
}

/** Waits for the run, then counts. The simulator must have served only this run. */
async function measureRun(run: WorkflowHandle, simulator: Simulator): Promise<RunFigures> {
  const startedAt = Date.now();
  await run.result();
  const endedAt = Date.now();
  const { events } = await run.fetchHistory();
  const description = await run.describe();
  const taskReads = simulator.requests.filter(({ path }) => path.startsWith('/cloud/v1/tasks/'));
  const taskEnds = simulator.snapshot().tasks.map((task) => task.endsAt);
  const lastRead = taskReads.at(-1)?.at ?? Number.NaN;
  return {
    events: events?.length ?? 0,
    eventTypes: countBy(events ?? [], typeOf),
    historyBytes: description.historySize ?? 0,
    requests: simulator.requests.length,
    taskReads: taskReads.length,
    noticedAfterSeconds: (lastRead - Math.max(...taskEnds)) / 1000,
    seconds: (endedAt - startedAt) / 1000,
  };
}

const { EventType } = proto.temporal.api.enums.v1;

export function typeOf({ eventType }: proto.temporal.api.history.v1.IHistoryEvent): string {
  return (EventType[eventType ?? 0] ?? '').replace('EVENT_TYPE_', '');
}
