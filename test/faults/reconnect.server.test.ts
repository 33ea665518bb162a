import { setTimeout as pass } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { GcoreWorkflows } from '../../src/client/index.js';
import { openFaultWorld, type FaultWorld } from '../support/worlds/fault-world.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { interruptTemporal } from '../support/worlds/temporal-outage.js';

const AWAY_SECONDS = 8;
const NOTICED_WITHIN_MS = 5_000;
const GIVEN_UP_AFTER_MS = 30_000;
/** The worker's own longest pause between two tries, and time to start. */
const READY_WITHIN_MS = 10_000;

interface Asked {
  /** When the first of many questions was answered. */
  at: number;
  failures: string[];
}

let world: FaultWorld;
let backAt: number;
/** All three are there while the server is away; each tells when it first worked. */
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

/** Asks four times a second until one question, whichever, is answered; then waits for the others. */
async function askUntilAnswered(gcore: GcoreWorkflows): Promise<Asked> {
  const questions: Promise<void>[] = [];
  const failures: string[] = [];
  let at: number | undefined;
  const deadline = Date.now() + GIVEN_UP_AFTER_MS;
  while (at === undefined && Date.now() < deadline) {
    const question = gcore.list(1).then(
      () => {
        at ??= Date.now();
      },
      (error: unknown) => {
        failures.push(String(error));
      },
    );
    questions.push(question);
    await pass(250);
  }
  await Promise.all(questions);
  return { at: at ?? Infinity, failures };
}

describe(`after ${AWAY_SECONDS} s without a Temporal server`, () => {
  it('a connected client works within 5 s', async () => {
    expect((await connected).at - backAt).toBeLessThan(NOTICED_WITHIN_MS);
  });

  it('every question that was asked meanwhile has its answer', async () => {
    expect((await connected).failures).toEqual([]);
  });

  it('a client that started meanwhile has waited, and works within 5 s', async () => {
    expect((await late).at - backAt).toBeLessThan(NOTICED_WITHIN_MS);
  });

  it('a worker that started meanwhile has waited, and takes what the waiting client starts', async () => {
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
