import { CancellationScope, isCancellation } from '@temporalio/workflow';

import { answerOf, type AskForNews } from '../core/news.js';
import { typicalDuration, type PollPolicy } from '../core/run-policy.js';
import { distinctReads, type ShownRead } from '../run/read-times.js';
import type { Run } from '../run/run-types.js';
import { createPace, type Pace } from './create-pause.js';

/** A look of more reads goes by timers: watching each would cost more events than it saves. */
const MOST_READS = 3;

interface Waited {
  pace: Pace & { since: number };
  /** What the look has seen, for the status. */
  state: string | undefined;
}

/**
 * Waits until one of the reads of a look shows something else, or until the end of the wait: then a look is due. Temporal
 * repeats the reads meanwhile, so that the history does not grow. `false` when it has not waited: then the caller pauses.
 */
export async function untilNews(
  run: Run,
  reads: readonly ShownRead[],
  { pace, state }: Waited,
): Promise<boolean> {
  const { name, since, until = 0, type = '' } = pace;
  const watched = distinctReads(reads);
  if (Date.now() >= until || watched.length === 0 || watched.length > MOST_READS) return false;
  createPace(run, { ...pace, watched: true })(state);
  const poll = paceOf(type, run.prepared.policy.poll);
  const askedAt = Date.now();
  const options = { summary: `${name}: repeated by Temporal until it shows something new` };
  return CancellationScope.cancellable(async () => {
    const race = CancellationScope.current();
    try {
      await Promise.race(
        watched.map((read) => {
          const news: AskForNews = { unlike: answerOf(read.result), since, until, poll };
          return read.untilNews(options, news);
        }),
      );
      // A worker that does not wait, or whose clock is ahead, must not make the run look again and again.
      return Date.now() - askedAt >= poll.minMs;
    } catch (error) {
      if (isCancellation(error)) throw error;
      // The next look says better what is wrong.
      return false;
    } finally {
      race.cancel();
    }
  });
}

function paceOf(type: string, { typical, ...poll }: PollPolicy): PollPolicy {
  return { ...poll, typical: {}, otherwise: typicalDuration(type, { typical, ...poll }) };
}
