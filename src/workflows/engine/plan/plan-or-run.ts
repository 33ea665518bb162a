import type { PreparedRun } from '../../../contract/prepared/prepared-run.js';
import type { Planned } from '../../../contract/plan.js';
import { StepState } from '../../../contract/status.js';
import type { OperationRun } from '../run/control-run.js';
import type { Planner } from './planning.js';
import { runOperation } from '../run/run.js';
import type { Run } from '../run/run-types.js';

interface Plannable<P extends PreparedRun, I> extends OperationRun<P, I> {
  /** Says what the run would do; it only reads. */
  plan: Planner<P, I>;
}

const PLAN = 'look what the run would do';

/** Runs the operation, or, with `planOnly` in its input, makes its plan: then nothing is sent. */
export function planOrRun<P extends PreparedRun, I, R>(
  operated: Plannable<P, I>,
  body: (run: Run<P, I>) => Promise<R>,
): Promise<R | Planned> {
  const { operation, input, prepare, plan } = operated;
  if (!isPlanOnly(input)) return runOperation<P, I, R | Planned>(operated, body);
  return runOperation({ operation, input, prepare, steps: [PLAN], isPlan: true }, (run) =>
    makePlan(run, plan),
  );
}

function isPlanOnly(input: unknown): boolean {
  return input instanceof Object && 'planOnly' in input && input.planOnly === true;
}

async function makePlan<P extends PreparedRun, I>(
  run: Run<P, I>,
  planner: Planner<P, I>,
): Promise<Planned> {
  const step = await run.begin(PLAN);
  step.set(StepState.waiting);
  const { input, prepared } = run;
  const { direct: reads, longReads } = run.api;
  const plan = await planner({ input, prepared, reads, longReads });
  const faults = plan.findings.filter(({ severity }) => severity === 'fault').length;
  step.set(StepState.verified, { note: plan.ready ? 'ready' : `not ready: ${faults} fault(s)` });
  return { plan };
}
