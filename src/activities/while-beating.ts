import { Context } from '@temporalio/activity';

/** A third of the heartbeat timeout that the workflows ask for. */
const BEAT_MS = 10_000;

/** Tells the server from time to time that the worker is alive: a long activity of a dead one is noticed soon. */
export async function whileBeating<T>(act: () => Promise<T>): Promise<T> {
  const context = Context.current();
  const beat = setInterval(() => {
    context.heartbeat();
  }, BEAT_MS);
  try {
    return await act();
  } finally {
    clearInterval(beat);
  }
}
