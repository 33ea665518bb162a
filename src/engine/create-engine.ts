import type { PreparedChange, PreparedRun, PreparedSender } from './core/prepared-run.js';
import type { RemoteApi } from './core/product.js';
import type { DeliveryInput } from './core/webhooks.js';
import { planOrRun, type PlannableRun } from './plan/plan-or-run.js';
import type { RunDefinition } from './run/control-run.js';
import { runOperation, type EngineParts } from './run/run.js';
import type { Run } from './run/run-types.js';
import type { Changed } from './send/one-change.js';
import { planChange, runChange, type ChangeStep } from './steps/change-step.js';
import type { Made, MadeThing, MakeStep } from './steps/make-step.js';
import { planMake, runMake } from './steps/run-make.js';
import { planRemoval, runRemoval, type Removed, type RemoveStep } from './steps/remove-step.js';
import { holdTurn } from './turns/hold-turn.js';
import { leaseWatches } from './wait/lease-watches.js';
import { deliverWebhooks } from './webhooks/deliver-webhooks.js';

/** What an operation of one step adds to its step. */
type StepDefinition<P extends PreparedRun, I> = Omit<RunDefinition<P, I>, 'steps' | 'creatingStep'>;

/**
 * The engine for one API: how operations run, and the three workflows that it needs beside them. A product exports
 * both under their names from the file that its bundle is made of.
 */
export function createEngine<A extends RemoteApi>(parts: EngineParts<A>) {
  const inOneStep = <P extends PreparedRun, I, R>(
    {
      step,
      ...definition
    }: StepDefinition<P, I> & Pick<PlannableRun<P, I, A>, 'plan'> & { step: string },
    body: (run: Run<P, I, A>) => Promise<R>,
  ) => planOrRun(parts, { ...definition, steps: [step], creatingStep: step }, body);
  return {
    /** Runs an operation. */
    runOperation: <P extends PreparedRun, I, R>(
      definition: RunDefinition<P, I>,
      body: (run: Run<P, I, A>) => Promise<R>,
    ) => runOperation(parts, definition, body),
    /** Runs an operation, or makes its plan when its input says `planOnly`. */
    planOrRun: <P extends PreparedRun, I, R>(
      definition: PlannableRun<P, I, A>,
      body: (run: Run<P, I, A>) => Promise<R>,
    ) => planOrRun(parts, definition, body),
    /** Runs an operation that is one step, or makes its plan. */
    changeOperation: <P extends PreparedChange, I, T extends object, R>(
      definition: StepDefinition<P, I>,
      step: ChangeStep<I, P, T, A>,
      toResult: (changed: Changed<T>, run: Run<P, I, A>) => R,
    ) =>
      inOneStep<P, I, R>(
        {
          ...definition,
          step: step.name,
          plan: (run) => planChange(definition.operation, step, run),
        },
        async (run) => toResult(await runChange(run, step), run),
      ),
    /** Runs an operation that removes one thing, or makes its plan. */
    removeOperation: <P extends PreparedChange, I, T extends object, R>(
      definition: StepDefinition<P, I>,
      step: RemoveStep<I, P, T, A>,
      toResult: (removed: Removed<T>, run: Run<P, I, A>) => R,
    ) =>
      inOneStep<P, I, R>(
        {
          ...definition,
          step: step.name,
          plan: (run) => planRemoval(definition.operation, step, run),
        },
        async (run) => toResult(await runRemoval(run, step), run),
      ),
    /** Runs an operation that makes one thing in one step, or makes its plan. */
    makeOperation: <P extends PreparedSender, I, T extends MadeThing, R>(
      definition: StepDefinition<P, I>,
      step: MakeStep<I, P, T, A>,
      toResult: (made: Made<T>, run: Run<P, I, A>) => R,
    ) =>
      inOneStep<P, I, R>(
        {
          ...definition,
          step: step.name,
          plan: (run) => planMake(definition.operation, step, run),
        },
        async (run) => toResult(await runMake(run, step), run),
      ),
    workflows: {
      holdTurn,
      leaseWatches,
      deliverWebhooks: (input: DeliveryInput) => deliverWebhooks(parts.product, input),
    },
  };
}
