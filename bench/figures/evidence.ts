import { setTimeout as delay } from 'node:timers/promises';

import type { WorkflowHandle } from '@temporalio/client';
import { z } from 'zod';

import { statusQuery } from '../../src/engine/core/messages.js';
import { DEFAULT_RECONCILE_GRACE_MS } from '../../src/engine/core/run-policy.js';
import type { FaultRule, SimulatorState } from '../../src/simulator/index.js';
import { CREATE_PATH, provisionInput } from '../../test/support/inputs/provision-input.js';
import { inScenario, type Scenario } from '../../test/support/runs/scenario.js';
import { defineBench, number } from '../bench.js';
import type { FigureRow } from '../document/figure.js';
import { withTemporal } from '../worlds.js';
import { caseOf } from './limits.js';

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

const push = caseOf('modifyKvStore');

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

/** In real time and with the policies of production: the grace time is two minutes. */
export const evidence = defineBench({
  id: 'evidence',
  title: 'Strong evidence',
  summary:
    'how soon a run believes that a lost call or a failed task has left something, or nothing',
  minutes: 3,
  columns: [
    { key: 'name', title: 'case' },
    { key: 'from', title: 'from' },
    { key: 'shown', title: 'failure in the status', unit: 's' },
    { key: 'ended', title: 'end of the run', unit: 's' },
  ],
  settings: z.strictObject({ cases: number(CASES.length) }),
  quick: { cases: 1 },
  measure: ({ cases }) =>
    withTemporal({ exactTimers: true }, async () => ({
      rows: await Promise.all(CASES.slice(0, cases).map(measureCase)),
    })),
});

function measureCase({ faults, start, state, echoTags, name, from }: Case): Promise<FigureRow> {
  const options = {
    speed: 1,
    realPolls: true,
    replays: false,
    timeoutMs: HTTP_TIMEOUT_MS,
    policy: { reconcileGraceMs: DEFAULT_RECONCILE_GRACE_MS },
    requestsPerSecond: 10,
    ...(state && { state }),
    ...(echoTags === true && { echoTags }),
  };
  return inScenario(options, async (scenario) => {
    for (const fault of faults) scenario.simulator.faults.add(fault);
    const run = await start(scenario);
    const begun = await momentOf(scenario, from);
    const [failed, ended] = await Promise.all([untilFailure(run), untilEnd(run)]);
    const shown = failed === undefined ? null : (failed - begun) / 1_000;
    return { name, from, shown, ended: (ended - begun) / 1_000 };
  });
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
