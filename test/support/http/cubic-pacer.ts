import type { PaceLimits } from '../../../src/engine/http/pace.js';
import type { Pacer } from './simulate-pacer.js';

/** Of the adaptive mode of the AWS SDKs, as their reference describes it. */
const BETA = 0.7;
const SCALE = 0.4;
const SMOOTH = 0.8;
const SLOWEST = 0.5;
const MEASURED_MS = 500;

/** CUBIC in seconds: what the pace is compared with. It knows no Retry-After. */
export function createCubicPacer({ perSecond, maxPauseMs }: PaceLimits): Pacer {
  let rate = perSecond;
  let isOn = false;
  let most = 0;
  let throttledAt = 0;
  let measured = 0;
  let count = 0;
  let countedAt = 0;
  let pausedUntil = -Infinity;

  const measure = (at: number): void => {
    const slot = Math.floor(at / MEASURED_MS) * MEASURED_MS;
    count += 1;
    if (slot <= countedAt) return;
    measured = (count / (slot - countedAt)) * 1_000 * SMOOTH + measured * (1 - SMOOTH);
    count = 0;
    countedAt = slot;
  };
  const afterThrottle = (at: number): number => {
    most = isOn ? Math.min(measured, rate) : measured;
    throttledAt = at;
    isOn = true;
    return most * BETA;
  };
  const afterSuccess = (at: number): number => {
    const window = Math.cbrt((most * (1 - BETA)) / SCALE);
    return SCALE * ((at - throttledAt) / 1_000 - window) ** 3 + most;
  };

  return {
    rate: () => (isOn ? rate : perSecond),
    pausedUntil: () => pausedUntil,
    learn: (event) => {
      const { kind, at } = event;
      measure(at);
      const wanted = kind === 'throttled' ? afterThrottle(at) : afterSuccess(at);
      rate = Math.min(Math.max(Math.min(wanted, 2 * measured), SLOWEST), perSecond);
      // The SDK waits for it too, with each single request.
      if (kind === 'throttled') {
        pausedUntil = Math.max(pausedUntil, at + Math.min(event.retryAfterMs ?? 0, maxPauseMs));
      }
    },
  };
}
