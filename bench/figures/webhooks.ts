import { setTimeout as delay } from 'node:timers/promises';

import { z } from 'zod';

import { abortUpdate } from '../../src/engine/core/messages.js';
import { CREATE_PATH, provisionInput } from '../../test/support/inputs/provision-input.js';
import { inScenario, type Scenario } from '../../test/support/runs/scenario.js';
import { untilBlocked } from '../../test/support/runs/until-blocked.js';
import { inBatches } from '../../test/support/timing/in-batches.js';
import { withReceiver, type Receiver } from '../../test/support/webhooks/receiver.js';
import { defineBench, number } from '../bench.js';
import type { Measured } from '../document/figure.js';
import { withTemporal } from '../worlds.js';

const settings = z.strictObject({
  runs: number(40),
  /** How long the receiver answers 503 only. */
  minutes: number(10),
  /** Share of its answers afterwards that are 503, and share that get lost. */
  refused: number(0.3),
  lost: number(0.3),
});
type Plan = z.output<typeof settings>;

export const webhooks = defineBench({
  id: 'webhooks',
  title: 'A receiver that is away',
  summary:
    'webhooks to a receiver that is down for ten minutes and then flaps: each event once, in order',
  minutes: 15,
  columns: [
    { key: 'events', title: 'events' },
    { key: 'tries', title: 'tries' },
    { key: 'delivered', title: 'delivered' },
    { key: 'repeated', title: 'repeated' },
    { key: 'wrong', title: 'wrong' },
    { key: 'inOrder', title: 'runs in order' },
    { key: 'caughtUpSeconds', title: 'caught up within', unit: 's' },
    { key: 'slowestEndSeconds', title: 'slowest end of a run', unit: 's' },
  ],
  settings,
  quick: { runs: 2, minutes: 0.1 },
  measure: (plan) => withTemporal({}, () => measureWebhooks(plan)),
});

interface WebhookFigures {
  /** Events that the runs told: two of each, "blocked" and "failed". */
  events: number;
  tries: number;
  /** Distinct ids that the receiver took. */
  delivered: number;
  /** Deliveries of an id that the receiver had taken before. */
  repeated: number;
  /** Repeats under another id, and ids with another body. */
  wrong: number;
  /** Runs whose events were first taken in their order. */
  inOrder: number;
  /** From the moment when the receiver flaps instead of being down to the last event. */
  caughtUpSeconds: number;
  /** Longest time from the abort of a run to its end, while the receiver was down. */
  slowestEndSeconds: number;
}

const QUOTA = {
  kind: 'status',
  status: 403,
  body: { exception_class: 'QuotaLimitExceed' },
} as const;
const GIVE_UP_MS = 30 * 60_000;

/** Lets runs tell a receiver that is down at first and then flaps, and counts what it takes. */
async function measureWebhooks(plan: Plan): Promise<Measured> {
  const figures = await withReceiver((receiver) => {
    const options = { webhooks: receiver.settings, replays: false };
    return inScenario(options, (scenario) => tellAll(plan, receiver, scenario));
  });
  const { events, delivered, wrong, inOrder } = figures;
  return {
    rows: [{ ...figures }],
    checks: [
      { promise: 'Each event is delivered', kept: delivered === events },
      { promise: 'No repeat has another id or another body', kept: wrong === 0 },
      { promise: 'The events of each run come in order', kept: inOrder === plan.runs },
    ],
  };
}

async function tellAll(
  plan: Plan,
  receiver: Receiver,
  { start, simulator }: Scenario,
): Promise<WebhookFigures> {
  const downUntil = Date.now() + plan.minutes * 60_000;
  receiver.answerWith(503);
  const match = { method: 'POST', path: CREATE_PATH, times: 1e9 };
  simulator.faults.add({ match, action: QUOTA });
  const notify = [{ url: receiver.url, secretName: 'test' }];
  const ends: number[] = [];
  await inBatches(Array.from({ length: plan.runs }), 10, async () => {
    const run = await start('provisionInstance', { ...provisionInput(), notify });
    await untilBlocked(run, 'QuotaExceeded');
    const abortedAt = Date.now();
    await run.executeUpdate(abortUpdate, { args: [{}] });
    await run.result().catch(() => undefined);
    ends.push(Date.now() - abortedAt);
  });
  await delay(Math.max(downUntil - Date.now(), 0));
  const upAt = Date.now();
  const events = plan.runs * 2;
  await takeAll(receiver, plan, events);
  return {
    ...countOf(receiver, events),
    caughtUpSeconds: (Date.now() - upAt) / 1000,
    slowestEndSeconds: Math.max(...ends) / 1000,
  };
}

/** Flaps until every event was taken and nothing comes any more. */
async function takeAll(receiver: Receiver, { refused, lost }: Plan, events: number): Promise<void> {
  receiver.flap(() => {
    const chance = Math.random();
    if (chance < refused) return 503;
    return chance < refused + lost ? 'lost' : 204;
  });
  const giveUpAt = Date.now() + GIVE_UP_MS;
  while (idsOf(receiver).size < events && Date.now() < giveUpAt) await delay(500);
}

function idsOf({ taken }: Receiver): Set<string> {
  return new Set(taken.map(({ id }) => id));
}

function countOf(receiver: Receiver, events: number) {
  const { taken, tries } = receiver;
  const bodies = new Map<string, string>();
  const sequences = new Map<string, number[]>();
  let wrong = 0;
  for (const { id, body } of taken) {
    const text = JSON.stringify(body);
    if ((bodies.get(id) ?? text) !== text) wrong += 1;
    if (bodies.has(id)) continue;
    bodies.set(id, text);
    const { workflowId, sequence } = body.data;
    sequences.set(workflowId, [...(sequences.get(workflowId) ?? []), sequence]);
  }
  const isSorted = (numbers: number[]): boolean => numbers.every((number, at) => number === at + 1);
  return {
    events,
    tries: tries.length,
    delivered: bodies.size,
    repeated: taken.length - bodies.size,
    wrong: wrong + Math.max(bodies.size - events, 0),
    inOrder: [...sequences.values()].filter(isSorted).length,
  };
}
