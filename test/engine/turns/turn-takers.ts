import { WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';

import { statusQuery } from '../../../src/engine/core/messages.js';
import { DEFAULT_POLL_POLICY } from '../../../src/contract/wire/tasks.js';
import { scalePollPolicy, type RunPolicy } from '../../../src/engine/core/run-policy.js';
import type { StatusDocument } from '../../../src/engine/schema/status-document.js';
import { resetRun, type ResetPoint } from '../../support/runs/reset-run.js';
import { inScenario, type Scenario, type ScenarioOptions } from '../../simulation/scenario.js';
import { bundleWorkflows } from '../../support/workers/bundle-workflows.js';
import type { Taken, TurnTakerInput } from './workflows/index.js';
import { until } from '../../support/timing/until.js';

export const RESOURCE = 'thing/1';

const HOUR = { firstMs: 3_600_000, usualMs: 3_600_000 };
/** A run polls less often than a test lasts, so only a signal lets it continue. */
export const NEVER_LOOK: Partial<RunPolicy> = {
  poll: { ...DEFAULT_POLL_POLICY, minMs: 3_600_000, maxMs: 3_600_000, otherwise: HOUR },
};
export const LOOK_OFTEN: Partial<RunPolicy> = {
  poll: scalePollPolicy(DEFAULT_POLL_POLICY, 1 / 100),
};

export interface Takers extends Scenario {
  take: (input?: Partial<TurnTakerInput>, workflowId?: string) => Promise<Taker>;
  /** Starts a run that keeps its turn until `goOn`. */
  takeFirst: (input?: Partial<TurnTakerInput>) => Promise<Taker>;
  /** Starts runs that join the queue one after another. */
  line: (count: number, input?: Partial<TurnTakerInput>) => Promise<Taker[]>;
  /** Resets the run, and returns the new one. */
  reset: (taker: Taker, point: ResetPoint) => Promise<Taker>;
}

/** A run that takes a turn, changes nothing, and returns when it had the turn. */
export interface Taker {
  run: WorkflowHandle;
  status: () => Promise<StatusDocument>;
  /** The Workflow Id of the run that has the turn, as this run's status says. */
  holder: () => Promise<string | undefined>;
  /** Resolves when the run has its turn. */
  hasIt: () => Promise<void>;
  goOn: () => Promise<void>;
  taken: () => Promise<Taken>;
  /** The type of the run's failure. `undefined` if it succeeded. */
  failure: () => Promise<string | undefined>;
}

/** Runs `test` with workflows that only take turns, with the engine's own code. */
export async function withTakers(
  policy: Partial<RunPolicy>,
  options: Pick<ScenarioOptions, 'replays'>,
  test: (takers: Takers) => Promise<void>,
): Promise<void> {
  const workflows = await bundleWorkflows('test/engine/turns/workflows');
  await inScenario({ workflows, policy, ...options }, async (scenario) => {
    const { account, client, startRaw } = scenario;
    const take = async (input: Partial<TurnTakerInput> = {}, workflowId?: string) =>
      takerOf(await startRaw('turnTaker', [{ account, resource: RESOURCE, ...input }], workflowId));
    const takeFirst = async (input: Partial<TurnTakerInput> = {}) => {
      const first = await take({ waits: true, ...input });
      await first.hasIt();
      return first;
    };
    const line = async (count: number, input: Partial<TurnTakerInput> = {}) => {
      const takers: Taker[] = [];
      while (takers.length < count) {
        const taker = await take(input);
        // When the new run names the holder in its status, the holder knows the new run too.
        await until('the run waits', async () => (await taker.holder()) !== undefined);
        takers.push(taker);
      }
      return takers;
    };
    const reset = async ({ run }: Taker, point: ResetPoint) =>
      takerOf(await resetRun(client, run, point));
    await test({ ...scenario, take, takeFirst, line, reset });
  });
}

function takerOf(run: WorkflowHandle): Taker {
  const status = () => run.query(statusQuery);
  return {
    run,
    status,
    holder: async () => (await status()).waiting?.holder,
    hasIt: () =>
      until('the run has its turn', async () => (await status()).steps[0]?.state === 'sending'),
    goOn: () => run.signal('goOn'),
    taken: () => run.result(),
    failure: async () => {
      const ended: unknown = await run.result().catch((error: unknown) => error);
      const cause = ended instanceof WorkflowFailedError ? ended.cause : undefined;
      return cause && 'type' in cause && typeof cause.type === 'string' ? cause.type : cause?.name;
    },
  };
}
