/**
 * `npm run bench:evidence`: how soon a run believes strong evidence, in real time and with the policies of
 * production: the grace time is two minutes. A cell goes on from the moment that it names.
 */
import { setTimeout as delay } from 'node:timers/promises';

import type { WorkflowHandle } from '@temporalio/client';

import { statusQuery } from '../src/engine/core/messages.js';
import { DEFAULT_RECONCILE_GRACE_MS } from '../src/engine/core/run-policy.js';
import type { FaultRule, SimulatorState } from '../src/simulator/index.js';
import { CREATE_PATH, provisionInput } from '../test/support/inputs/provision-input.js';
import { OPERATION_CASES } from '../test/support/operations/index.js';
import { inScenario, type Scenario } from '../test/support/runs/scenario.js';
import { withTemporal } from './with-temporal.js';

const HTTP_TIMEOUT_MS = 15_000;
const LOOK_EVERY_MS = 100;
const MOST_MS = 5 * 60_000;

interface Case {
  name: string;
  faults: readonly FaultRule[];
  start: (scenario: Scenario) => Promise<WorkflowHandle>;
  state?: SimulatorState;
  /** Where the time begins: with the first change that is sent, or with the end of a task in ERROR. */
  from: 'the lost call' | 'the end of the task';
  echoTags?: boolean;
}

const createCall = { method: 'POST', path: CREATE_PATH };
const LOST = { kind: 'drop-response' } as const;
const fails = (leftovers: 'none' | 'instance'): FaultRule => ({
  match: createCall,
  action: { kind: 'task-error', error: 'internal error', leftovers },
});
const provision = ({ start }: Scenario) => start('provisionInstance', provisionInput());

const push = OPERATION_CASES.find(({ operation }) => operation === 'modifyKvStore');
if (push === undefined) throw new Error('No case of modifyKvStore');

const CASES: readonly Case[] = [
  {
    name: 'KV push, answer lost',
    faults: [{ match: { method: 'PUT' }, action: LOST }],
    start: ({ start }) => start(push.operation, push.input('evidence-1')),
    ...(push.state && { state: push.state }),
    from: 'the lost call',
  },
  ...(['instance', 'none'] as const).map((leftovers): Case => ({
    name: `create task in ERROR, leaves ${leftovers === 'none' ? 'nothing' : 'the instance'}`,
    faults: [fails(leftovers)],
    start: provision,
    from: 'the end of the task',
  })),
  {
    name: 'create, answer lost, task in ERROR with its tags, leaves the instance',
    faults: [fails('instance'), { match: createCall, action: LOST }],
    start: provision,
    from: 'the end of the task',
    echoTags: true,
  },
];

await withTemporal({ exactTimers: true }, async () => {
  const lines = await Promise.all(CASES.map(measure));
  const header = 'case\tfrom\tfailure in the status (s)\tend of the run (s)';
  process.stdout.write(`${[header, ...lines].join('\n')}\n`);
});

async function measure(measured: Case): Promise<string> {
  const { faults, start, state, echoTags, name, from } = measured;
  let line = '';
  await inScenario(
    {
      ...{ speed: 1, realPolls: true, replays: false, timeoutMs: HTTP_TIMEOUT_MS },
      policy: { reconcileGraceMs: DEFAULT_RECONCILE_GRACE_MS },
      requestsPerSecond: 10,
      ...(state && { state }),
      ...(echoTags === true && { echoTags }),
    },
    async (scenario) => {
      for (const fault of faults) scenario.simulator.faults.add(fault);
      const run = await start(scenario);
      const begun = await momentOf(scenario, from);
      const [failed, ended] = await Promise.all([untilFailure(run), untilEnd(run)]);
      const shown = failed === undefined ? '-' : seconds(failed - begun);
      line = [name, from, shown, seconds(ended - begun)].join('\t');
    },
  );
  return line;
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}

/** Looks until there is a moment, and returns it in milliseconds since the epoch. */
async function look(find: () => Promise<number | undefined>): Promise<number> {
  const until = Date.now() + MOST_MS;
  while (Date.now() < until) {
    const found = await find();
    if (found !== undefined) return found;
    await delay(LOOK_EVERY_MS);
  }
  throw new Error('Nothing has come of it within five minutes');
}

function momentOf({ simulator }: Scenario, from: Case['from']): Promise<number> {
  return look(() => {
    const hasFailed = simulator.inventory().tasks.some(({ state }) => state === 'ERROR');
    const [change] = simulator.mutations();
    return Promise.resolve(
      from === 'the lost call' ? change?.at : hasFailed ? Date.now() : undefined,
    );
  });
}

async function untilEnd(run: WorkflowHandle): Promise<number> {
  await run.result().catch(() => undefined);
  return Date.now();
}

/** `undefined` for a run that has ended without one. */
async function untilFailure(run: WorkflowHandle): Promise<number | undefined> {
  const at = await look(async () => {
    const { failure, phase } = await run.query(statusQuery);
    if (failure !== undefined) return Date.now();
    return phase === 'succeeded' ? 0 : undefined;
  });
  return at === 0 ? undefined : at;
}
