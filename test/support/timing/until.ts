import { setTimeout as delay } from 'node:timers/promises';

const DEADLINE_MS = 15_000;

/** Asks again and again until the answer is yes; fails when it never is. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (!(await isSo())) {
    if (Date.now() > deadline) {
      throw new Error(`Not within ${DEADLINE_MS / 1000} s: ${what}`);
    }
    await delay(20);
  }
}
