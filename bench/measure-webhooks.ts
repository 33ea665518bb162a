import { setTimeout as delay } from 'node:timers/promises';

import { abortUpdate } from '../src/engine/core/messages.js';
import { CREATE_PATH, provisionInput } from '../test/support/inputs/provision-input.js';
import { inScenario } from '../test/support/runs/scenario.js';
import { untilBlocked } from '../test/support/runs/until-blocked.js';
import { inBatches } from '../test/support/timing/in-batches.js';
import { withReceiver, type Receiver } from '../test/support/webhooks/receiver.js';

export interface WebhookPlan {
  runs: number;
  /** How long the receiver answers 503 only. */
  downMs: number;
  /** Share of its answers afterwards that are 503, and share that get lost. */
  refused: number;
  lost: number;
}

export interface WebhookFigures {
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
export async function measureWebhooks(plan: WebhookPlan): Promise<WebhookFigures> {
  const measured: WebhookFigures[] = [];
  await withReceiver((receiver) =>
    inScenario({ webhooks: receiver.settings, replays: false }, async ({ start, simulator }) => {
      const downUntil = Date.now() + plan.downMs;
      receiver.answerWith(503);
      simulator.faults.add({
        match: { method: 'POST', path: CREATE_PATH, times: 1e9 },
        action: QUOTA,
      });
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
      measured.push({
        ...countOf(receiver, events),
        caughtUpSeconds: (Date.now() - upAt) / 1000,
        slowestEndSeconds: Math.max(...ends) / 1000,
      });
    }),
  );
  const [figures] = measured;
  if (figures === undefined) throw new Error('Nothing was measured');
  return figures;
}

/** Flaps until every event was taken and nothing comes any more. */
async function takeAll(
  receiver: Receiver,
  { refused, lost }: WebhookPlan,
  events: number,
): Promise<void> {
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
