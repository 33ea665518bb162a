import { Context } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';

import { answerOf, type AskForNews } from '../core/news.js';
import { pollDelay } from '../core/run-policy.js';
import { isoOf } from '../core/times.js';
import { attemptOf, timeOfRun } from './attempt.js';

/**
 * Ends when the read answers otherwise than it has, or when its time is over. Until then it fails, so that Temporal
 * repeats it at a growing pace and the history does not grow. That failure is expected (BENIGN).
 */
export async function readUntilNews(
  read: () => Promise<unknown>,
  { unlike, since, until, poll }: AskForNews,
): Promise<void> {
  const context = Context.current();
  const { attempt } = context.info;
  // What an attempt before has found out may be outdated.
  attemptOf(context).progress = () => undefined;
  if (timeOfRun(context) >= until) return;
  // The run has just read it.
  if (attempt > 1 && answerOf(await read()) !== unlike) return;
  const now = timeOfRun(context);
  const elapsedMs = Math.max(now - since, 1);
  const delay = pollDelay({ type: '', elapsedMs, random: Math.random() }, poll);
  const next = Math.min(now + delay, until);
  throw ApplicationFailure.create({
    type: 'NothingNew',
    message: `The answer is still the same; the next look is at ${isoOf(next)}`,
    category: ApplicationFailureCategory.BENIGN,
    nextRetryDelay: Math.max(Math.round(next - now), 1),
  });
}
