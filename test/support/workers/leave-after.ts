import type { WorkflowHandle } from '@temporalio/client';

import type { FaultMatch } from '../../../src/simulator/index.js';
import { createGate, type Gate } from '../timing/gate.js';
import { until } from '../timing/until.js';
import type { SplitWorkers } from './split-workers.js';

/** The next answer to this call shows what is so now, and comes when the gate opens. */
export function holdAnswer({ simulator }: SplitWorkers, match: FaultMatch): Gate {
  const gate = createGate();
  const action = { kind: 'delay', afterProcessing: true, until: gate.opened } as const;
  simulator.faults.add({ match, action });
  return gate;
}

export function untilAsked({ simulator }: SplitWorkers, { path }: FaultMatch): Promise<void> {
  return until('the run looks', () => simulator.inFlight().some((call) => call.path === path));
}

/** The workers of the account go while they answer a look: the change that rests on it finds none. */
export async function leaveAfter<R extends WorkflowHandle>(
  split: SplitWorkers,
  match: FaultMatch,
  begin: () => Promise<R>,
) {
  const gate = holdAnswer(split, match);
  const run = await begin();
  await untilAsked(split, match);
  await split.calls.stop(gate.open);
  return run;
}
