import { setTimeout as delay } from 'node:timers/promises';

import { z } from 'zod';

import { ATTACKS, type Target } from '../../test/gateway/attacks.js';
import { eventsOf, largeRuns, wholeInputOf } from '../../test/gateway/large-run.js';
import { withMeasuredGateway, type MeasuredGateway } from '../../test/gateway/measured-gateway.js';
import { idleGateway, routesOf } from '../../test/gateway/route-requests.js';
import { defineBench, number } from '../bench.js';
import type { Measured } from '../document/figure.js';
import { slopeOf } from '../statistics.js';
import { tell } from '../tell.js';
import { withTemporal } from '../worlds.js';

const TOKEN = 'a-token-that-nobody-guesses';
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const SAMPLE_MS = 10_000;
const MIB = 1_024 ** 2;
/** Code is compiled and documents are made in this share of the time. */
const WARM_UP = 0.25;
/** Of the second half of the time more than of the first. */
const MOST_MIB = 16;

const settings = z.strictObject({ minutes: number(10) });

export const attacks = defineBench({
  id: 'attacks',
  title: 'Attacks on a gateway',
  summary:
    'each attack for ten minutes on a gateway with the memory of the chart: what stays, and what it takes',
  minutes: Object.keys(ATTACKS).length * 10,
  columns: [
    { key: 'second', title: 'second' },
    { key: 'rounds', title: 'rounds' },
    { key: 'held', title: 'held after a collection', unit: 'MiB' },
    { key: 'resident', title: 'resident', unit: 'MiB' },
    { key: 'cpu', title: 'CPU since the row before', unit: '%' },
    { key: 'pause', title: 'longest pause since then', unit: 'ms' },
  ],
  settings,
  parts: Object.fromEntries(Object.keys(ATTACKS).map((name) => [name, {}])),
  quick: { minutes: 0.2 },
  measure: ({ minutes }, part) =>
    withTemporal({}, (address) =>
      withMeasuredGateway(TOKEN, (gateway) => measureAttack(part, { gateway, address, minutes })),
    ),
});

interface Sample {
  second: number;
  rounds: number;
  held: number;
  resident: number;
  cpu: number;
  pause: number;
}

async function measureAttack(
  name: string,
  { gateway, address, minutes }: { gateway: MeasuredGateway; address: string; minutes: number },
): Promise<Measured> {
  const routes = await routesOf(idleGateway());
  const [requestId = ''] = await largeRuns(address, { count: 1, areEnded: true });
  const [openId = ''] = await largeRuns(address, { count: 1, areEnded: false });
  const paths = { largePath: wholeInputOf(requestId), eventPath: eventsOf(openId) };
  const target = { gateway, routes, token: TOKEN, ...paths };
  const over = new AbortController();
  let rounds = 0;
  const attacking = repeat(name, target, {
    signal: over.signal,
    onRound: () => (rounds += 1),
  });
  const samples = await sample(gateway, { name, minutes, rounds: () => rounds });
  over.abort();
  await attacking;
  await gateway.settled();
  const { heldBytes, peakBytes } = await gateway.memory();
  const later = samples.filter(({ second }) => second >= minutes * 60 * WARM_UP);
  const slope = slopeOf(later.map(({ second, held }) => ({ x: second / 60, y: held })));
  // What answers are being made of at a sample is held too, and goes: the least of each half tells what stays.
  const half = Math.ceil(later.length / 2);
  const stays = leastHeld(later.slice(half)) - leastHeld(later.slice(0, half));
  return {
    rows: samples.map((each) => ({ ...each })),
    remarks: [
      `${rounds} rounds. Held memory grows by ${slope.toFixed(2)} MiB a minute; ${(heldBytes / MIB).toFixed(0)} MiB are held at the end, ${(peakBytes / MIB).toFixed(0)} MiB were resident at most.`,
    ],
    checks: [
      { promise: 'Nothing of it stays in memory', kept: stays < MOST_MIB },
      { promise: 'The container has memory for it (512 MiB)', kept: peakBytes < 512 * MIB },
    ],
  };
}

function leastHeld(samples: readonly Sample[]): number {
  return Math.min(...samples.map(({ held }) => held));
}

async function repeat(
  name: string,
  target: Omit<Target, 'round'>,
  { signal, onRound }: { signal: AbortSignal; onRound: () => void },
): Promise<void> {
  for (let round = 0; !signal.aborted; round++) {
    await ATTACKS[name]?.({ ...target, round });
    onRound();
  }
}

async function sample(
  gateway: MeasuredGateway,
  { name, minutes, rounds }: { name: string; minutes: number; rounds: () => number },
): Promise<Sample[]> {
  const samples: Sample[] = [];
  const from = performance.now();
  let { cpuMs: last } = await gateway.usage();
  let lookedAt = from;
  while (performance.now() - from < minutes * MINUTE_MS) {
    await delay(SAMPLE_MS);
    const { cpuMs, pauseMs } = await gateway.usage();
    const { heldBytes, residentBytes } = await gateway.memory();
    // The pause of the collection is none of the attack.
    await gateway.usage();
    const now = performance.now();
    const taken = {
      second: Math.round((now - from) / SECOND_MS),
      rounds: rounds(),
      held: Math.round(heldBytes / MIB),
      resident: Math.round(residentBytes / MIB),
      cpu: Math.round((100 * (cpuMs - last)) / (now - lookedAt)),
      pause: Math.round(pauseMs),
    };
    [last, lookedAt] = [cpuMs, now];
    samples.push(taken);
    tell(`${name}: ${JSON.stringify(taken)}`);
  }
  return samples;
}
