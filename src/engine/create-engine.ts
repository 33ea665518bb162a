import type { PreparedRun } from './core/prepared-run.js';
import type { RemoteApi } from './core/product.js';
import type { DeliveryInput } from './core/webhooks.js';
import { planOrRun, type PlannableRun } from './plan/plan-or-run.js';
import type { RunDefinition } from './run/control-run.js';
import { runOperation, type EngineParts } from './run/run.js';
import type { Run } from './run/run-types.js';
import { holdTurn } from './turns/hold-turn.js';
import { deliverWebhooks } from './webhooks/deliver-webhooks.js';

/**
 * The engine for one API: how operations run, and the two workflows that it needs beside them. A product exports
 * both under their names from the file that its bundle is made of.
 */
export function createEngine<A extends RemoteApi>(parts: EngineParts<A>) {
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
    workflows: {
      holdTurn,
      deliverWebhooks: (input: DeliveryInput) => deliverWebhooks(parts.product, input),
    },
  };
}
