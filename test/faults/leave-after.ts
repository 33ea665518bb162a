import type { WorkflowHandle } from '@temporalio/client';

import type { FaultMatch } from '../../src/simulator/index.js';
import { createGate, type Gate } from '../support/timing/gate.js';
import { until } from '../support/timing/until.js';
import type { SplitWorkers } from '../support/workers/split-workers.js';

/** Begins a run whose next answer to this call shows what is so now, and comes when the gate opens. */
export async function beginLook<R extends WorkflowHandle>(
  { simulator }: SplitWorkers,
  match: FaultMatch,
  begin: () => Promise<R>,
): Promise<{ run: R; gate: Gate }> {
  const gate = createGate();
  const action = { kind: 'delay', afterProcessing: true, until: gate.opened } as const;
  simulator.faults.add({ match, action });
  const run = await begin();
  await until('the run looks', () => simulator.inFlight().some(({ path }) => path === match.path));
  return { run, gate };
}

/** The workers of the account go while they answer a look: the change that rests on it finds none. */
export async function leaveAfter<R extends WorkflowHandle>(
  split: SplitWorkers,
  match: FaultMatch,
  begin: () => Promise<R>,
) {
  const { run, gate } = await beginLook(split, match, begin);
  await split.calls.stop(gate.open);
  return run;
}
