import { setTimeout as delay } from 'node:timers/promises';

/** Ends what hangs: a busy machine takes minutes for what takes seconds alone. */
const DEADLINE_MS = 300_000;

const SOON_MS = 20;
const LATER_MS = 150;
/** Of the time that has passed. */
const SHARE = 0.1;
/** What has not come by then hardly comes any more. */
const LONG_MS = 30_000;
const SHARE_OF_LONG = 0.01;

/**
 * Checks the condition until it holds. Throws if it does not hold in time. A condition that asks somebody costs him a
 * workflow task or more, so it is asked less often the longer it takes.
 */
export async function until(
  description: string,
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  const began = Date.now();
  for (;;) {
    const answer = holds();
    if (await answer) return;
    const passed = Date.now() - began;
    if (passed > DEADLINE_MS) throw new Error(`Not within ${DEADLINE_MS / 1000} s: ${description}`);
    await delay(pauseAfter(passed, typeof answer === 'boolean'));
  }
}

function pauseAfter(passed: number, isCheap: boolean): number {
  if (passed > LONG_MS) return passed * SHARE_OF_LONG;
  return isCheap ? SOON_MS : Math.min(LATER_MS, Math.max(SOON_MS, passed * SHARE));
}
