import { setTimeout as pass } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { GcoreWorkflows } from '../../src/client/index.js';
import { openFaultWorld, type FaultWorld } from '../support/worlds/fault-world.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { interruptTemporal } from './temporal-outage.js';

const AWAY_SECONDS = 8;
const NOTICED_WITHIN_MS = 5_000;
const GIVEN_UP_AFTER_MS = 30_000;
/** The worker's maximum pause between two tries, and time to start: a busy machine needs half a minute. */
const READY_WITHIN_MS = 40_000;

interface Asked {
  /** The time of the first answer. */
  at: number;
  failures: string[];
}

let world: FaultWorld;
let backAt: number;
/** These three start while the server is away. Each says when it first worked. */
let connected: Promise<Asked>;
let worker: Promise<number>;
let late: Promise<{ gcore: GcoreWorkflows; at: number }>;

beforeAll(async () => {
  world = await openFaultWorld();
  const meanwhile = (): void => {
    connected = askUntilAnswered(world.gcore);
    worker = world.startWorker().then(() => Date.now());
    late = world.connect(GIVEN_UP_AFTER_MS).then((gcore) => ({ gcore, at: Date.now() }));
  };
  await interruptTemporal(world, { seconds: AWAY_SECONDS, meanwhile });
  backAt = Date.now();
  await Promise.all([connected, worker, late]);
});

afterAll(() => world.close());

/** Calls four times a second until any call is answered, then waits for the other answers. */
async function askUntilAnswered(gcore: GcoreWorkflows): Promise<Asked> {
  const calls: Promise<void>[] = [];
  const failures: string[] = [];
  let at: number | undefined;
  const deadline = Date.now() + GIVEN_UP_AFTER_MS;
  while (at === undefined && Date.now() < deadline) {
    const call = gcore.list(1).then(
      () => {
        at ??= Date.now();
      },
      (error: unknown) => {
        failures.push(String(error));
      },
    );
    calls.push(call);
    await pass(250);
  }
  await Promise.all(calls);
  return { at: at ?? Infinity, failures };
}

describe(`after ${AWAY_SECONDS} s without a Temporal server`, () => {
  it('a connected client works within 5 s', async () => {
    expect((await connected).at - backAt).toBeLessThan(NOTICED_WITHIN_MS);
  });

  it('every call that was made meanwhile has its answer', async () => {
    expect((await connected).failures).toEqual([]);
  });

  it('a client that connected meanwhile works within 5 s', async () => {
    expect((await late).at - backAt).toBeLessThan(NOTICED_WITHIN_MS);
  });

  it('a worker that started meanwhile works on the runs of the waiting client', async () => {
    const { gcore } = await late;
    const { workflowId } = await gcore.start('provisionInstance', {
      requestId: 'after-the-outage',
      input: provisionInput(),
    });

    const { phase } = await gcore.status(workflowId);

    expect(phase).toBe('running');
    expect((await worker) - backAt).toBeLessThan(READY_WITHIN_MS);
  });
});
