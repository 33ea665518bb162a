import { setTimeout as delay } from 'node:timers/promises';

/** Ends what hangs: a busy machine takes a minute for what takes a second alone. */
const DEADLINE_MS = 150_000;

/** Checks the condition until it holds. Throws if it does not hold in time. */
export async function until(
  description: string,
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (!(await holds())) {
    if (Date.now() > deadline) {
      throw new Error(`Not within ${DEADLINE_MS / 1000} s: ${description}`);
    }
    await delay(20);
  }
}
