import { triesAs } from '../core/failures.js';
import type { Blocked } from '../schema/status-document.js';

/** A block as the status shows it. A paused run tries nothing by itself, whatever its block says. */
export function shownBlock(blocked: Blocked, isPaused: boolean): Blocked {
  const { nextCheckAt, ...rest } = blocked;
  // Only a person ends this block, and its advice says how.
  if (nextCheckAt === undefined) return blocked;
  return { ...rest, advice: adviceOf(rest, isPaused), ...(!isPaused && { nextCheckAt }) };
}

/** An advice that names `resume` says itself what it does. */
function adviceOf({ type, advice }: Blocked, isPaused: boolean): string {
  if (advice.includes('`resume`')) return advice;
  const does = triesAs(type) === 'looks' ? 'look' : 'try';
  const byItself = isPaused ? '' : `, or let it ${does} again by itself`;
  return `${advice} Then resume the run${byItself}.`;
}
