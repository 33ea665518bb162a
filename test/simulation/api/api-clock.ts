import type { Chaos } from '../world/chaos.js';
import type { Clock } from '../time/clock.js';

const MOST_APART_MS = 5 * 60_000;

/** The clock of the API, for `now` of its simulator: it may be up to five minutes off, the same all the time. */
export function apiClock(chaos: Chaos, clock: Clock): () => number {
  const draw = chaos.strikes('clock apart', 'the clock of the API');
  const apartMs = draw === undefined ? 0 : draw.number(-MOST_APART_MS, MOST_APART_MS);
  return () => clock.now() + apartMs;
}
