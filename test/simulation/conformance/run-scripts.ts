import { setTimeout as delay } from 'node:timers/promises';

import { collectHistories } from './collect-histories.js';
import { explainError } from './explain-error.js';
import { withNames } from './normalise.js';
import { openStage, type Script, type World } from './stage.js';

/** All that is compared of a script. */
export interface Outcome {
  name: string;
  seconds: number;
  /** Histories and observations, with names in the place of ids. As JSON: it comes from another process. */
  seen: unknown;
}

/** Runs a script in a world of its own. A script that fails has seen its error. */
export async function runScript(script: Script, world: World): Promise<Outcome> {
  const { stage, started, close } = openStage(world);
  const began = Date.now();
  let observed: unknown;
  try {
    observed = (await within(script.run(stage), 'the script')) ?? null;
  } catch (error) {
    observed = { scriptFailed: explainError(error) };
  }
  const histories = await collectHistories(stage, started);
  await within(close(), 'the end of the workers');
  const seconds = (Date.now() - began) / 1_000;
  const seen = withNames({ histories, observed }, world.prefix);
  return { name: script.name, seconds, seen };
}

const LIMIT_MS = 60_000;

async function within<T>(work: Promise<T>, what: string): Promise<T> {
  const stop = new AbortController();
  const limit = delay(LIMIT_MS, undefined, { signal: stop.signal }).then(() => {
    throw new Error(`${what} hangs`);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    limit.catch(() => undefined);
    stop.abort();
  }
}

/** Runs scripts side by side. */
export async function runSideBySide(
  scripts: readonly Script[],
  worldOf: (place: number) => World,
  atOnce: number,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const queue = scripts
    .map((script, place) => ({ script, place }))
    .sort((a, b) => (b.script.seconds ?? 0) - (a.script.seconds ?? 0));
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      outcomes[next.place] = await runScript(next.script, worldOf(next.place));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return outcomes;
}
