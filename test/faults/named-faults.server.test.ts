import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, describe, expect, it } from '@jest/globals';

import type { Answer, Ask } from './named/answers.js';
import { DOCTOR_FAULTS } from './named/doctor-faults.js';
import { doctor, DOCTOR_SEEDS } from './named/doctor-seeds.js';
import { DOCTOR_WORLDS } from './named/doctor-worlds.js';
import { EXPLAIN_FAULTS } from './named/explain-faults.js';
import { EXPLAIN_SEEDS, NOTHING_WRONG } from './named/explain-seeds.js';
import type { NamedFault } from './named/named-fault.js';

afterAll(async () => {
  await DOCTOR_WORLDS.close();
});

/**
 * A fault may take a moment to show. On a busy machine the first call of a run can take 45 s, and its second attempt comes
 * 30 s later.
 */
const SHOWS_WITHIN_MS = 300_000;
const ASK_EVERY_MS = 250;

const KEYS = {
  doctor: keysOf(DOCTOR_FAULTS),
  explain: keysOf(EXPLAIN_FAULTS),
};

function keysOf<K extends string>(faults: Record<K, NamedFault>): [string, K][] {
  const keys: K[] = [];
  for (const key in faults) keys.push(key);
  return keys.map((key) => [faults[key].fault, key]);
}

/**
 * The answer with cause and cure: a run that has just failed says the cause before it has ended, and only then there is
 * something to do. When none has both in time, the one with the cause, or the first.
 */
async function untilNamed(ask: Ask, { cause, cure }: NamedFault): Promise<Answer | undefined> {
  const deadline = Date.now() + SHOWS_WITHIN_MS;
  for (;;) {
    const answers = await ask();
    const named = answers.filter(({ says }) => cause.test(says));
    const cured = named.find(({ todo }) => cure.test(todo));
    if (cured !== undefined || Date.now() > deadline) return cured ?? named[0] ?? answers[0];
    await delay(ASK_EVERY_MS);
  }
}

async function expectNamed(ask: Ask, named: NamedFault): Promise<void> {
  expect(await untilNamed(ask, named)).toEqual({
    says: expect.stringMatching(named.cause),
    todo: expect.stringMatching(named.cure),
  });
}

describe('doctor names with cause and cure', () => {
  it.concurrent.each(KEYS.doctor)('%s', (_, key) =>
    DOCTOR_SEEDS[key]((ask) => expectNamed(ask, DOCTOR_FAULTS[key])),
  );

  it.concurrent('no fault where there is none', async () => {
    expect(await doctor({})).toEqual([]);
  });
});

describe('explain names with cause and cure', () => {
  it.concurrent.each(KEYS.explain)('%s', (_, key) =>
    EXPLAIN_SEEDS[key]((ask) => expectNamed(ask, EXPLAIN_FAULTS[key])),
  );

  it.concurrent('no fault of a run that waits for its task', () =>
    NOTHING_WRONG(async (ask) => {
      const [{ says, todo } = { says: '', todo: '' }] = await ask();

      expect(says).toContain('It is at the step "create instance" (waiting)');
      expect(todo).toMatch(/^nothing to do; to follow it: gcore-workflows watch/);
      for (const { cause } of Object.values(EXPLAIN_FAULTS)) expect(says).not.toMatch(cause);
    }),
  );
});
