import type { MeasuredGateway } from './measured-gateway.js';

/** What one row of a route does to a gateway. */
export interface Row {
  /** With what it is told by, when it is too dear. */
  what: string;
  /** Gives what was answered. */
  send: () => Promise<string[]>;
}

export interface Price {
  what: string;
  /** How the answers begin. */
  answers: string[];
  cpuMs: number;
  /** Of the longest answer. */
  bytes: number;
  /**
   * How long the event loop stood still, and everybody else waited: of the time that the gateway had a processor,
   * because other programs of a busy machine have it too.
   */
  pauseMs: number;
}

/** What the fixed piece of work takes on two idle processors. */
const WORK_MS = 18;

async function measureOnce(gateway: MeasuredGateway, { what, send }: Row): Promise<Price> {
  const before = await gateway.usage();
  const began = performance.now();
  const answers = await send();
  const after = await gateway.usage();
  const cpuMs = after.cpuMs - before.cpuMs;
  const share = Math.min(1, cpuMs / (performance.now() - began));
  return {
    what,
    answers: answers.map((answer) => answer.slice(0, BEGINNING)),
    cpuMs,
    bytes: Math.max(0, ...answers.map(({ length }) => length)),
    pauseMs: after.pauseMs * share,
  };
}

const BEGINNING = 100;
const MOST_TRIES = 4;

/**
 * What a row costs. One that is dear is measured again, beside the fixed piece of work: a neighbour on the machine makes
 * it dear once, a fault of the gateway each time.
 */
export async function measurePrice(
  gateway: MeasuredGateway,
  row: Row,
  isDear: (price: Price) => boolean,
): Promise<Price> {
  let price = await measureOnce(gateway, row);
  for (let tries = 1; tries < MOST_TRIES && isDear(price); tries++) {
    const before = await gateway.work();
    const next = await measureOnce(gateway, row);
    const slowness = Math.max(1, (before + (await gateway.work())) / 2 / WORK_MS);
    price = { ...next, cpuMs: next.cpuMs / slowness, pauseMs: next.pauseMs / slowness };
  }
  return price;
}
