import { plural } from '../core/text.js';
import type { PreparedRun } from '../core/prepared-run.js';
import type { Planned } from '../schema/documents.js';
import { StepState } from '../core/status.js';
import type { RunDefinition } from '../run/control-run.js';
import type { Planner } from './planning.js';
import type { RemoteApi } from '../core/product.js';
import { runOperation, type EngineParts } from '../run/run.js';
import type { Run } from '../run/run-types.js';

export interface PlannableRun<P extends PreparedRun, I, A extends RemoteApi> extends RunDefinition<
  P,
  I
> {
  /** Makes the plan; it only reads. */
  plan: Planner<P, I, A>;
}

const PLAN = 'make the plan';

/** Runs the operation. With `planOnly` in its input it makes the plan instead and sends nothing. */
export function planOrRun<P extends PreparedRun, I, R, A extends RemoteApi>(
  parts: EngineParts<A>,
  definition: PlannableRun<P, I, A>,
  body: (run: Run<P, I, A>) => Promise<R>,
): Promise<R | Planned> {
  const { operation, input, prepare, plan } = definition;
  if (!isPlanOnly(input)) return runOperation<P, I, R | Planned, A>(parts, definition, body);
  const planning = { operation, input, prepare, steps: [PLAN], isPlan: true };
  return runOperation(parts, planning, (run) => makePlan(run, plan));
}

function isPlanOnly(input: unknown): boolean {
  return input instanceof Object && 'planOnly' in input && input.planOnly === true;
}

async function makePlan<P extends PreparedRun, I, A extends RemoteApi>(
  run: Run<P, I, A>,
  planner: Planner<P, I, A>,
): Promise<Planned> {
  const step = await run.begin(PLAN);
  step.set(StepState.waiting);
  const { input, prepared } = run;
  const { direct: reads, longReads } = run.api;
  const plan = await planner({ input, prepared, reads, longReads });
  const faults = plan.findings.filter(({ severity }) => severity === 'fault').length;
  step.set(StepState.verified, {
    note: plan.ready ? 'ready' : `not ready: ${plural(faults, 'fault')}`,
  });
  return { plan };
}
