import { FailureType } from '../core/failures.js';
import { isoOf } from '../core/times.js';
import { failure } from '../run/failures.js';
import type { Run } from '../run/run-types.js';
import { createPause, type Pace } from './create-pause.js';
import { untilNews } from './until-news.js';

/** Gives the wait up after a look without a result, when its time is over. */
export function refuseLate({ name, giveUpAt }: Pick<Pace, 'name' | 'giveUpAt'>): void {
  if (giveUpAt !== undefined && Date.now() >= giveUpAt) throw givenUpFailure(name, giveUpAt);
}

export function givenUpFailure(name: string, giveUpAt: number | undefined): Error {
  const until = giveUpAt === undefined ? '' : ` until ${isoOf(giveUpAt)}`;
  return failure(FailureType.deadlineExceeded, `Waited for ${name}${until} without success.`, {
    advice:
      'This is far longer than usual. Ask the support of the API, then start again under the same request id.',
  });
}

/** What a wait looks for. */
interface Sought extends Pick<Pace, 'name'> {
  /** What the last look has seen, for the status. */
  state?: () => string | undefined;
}

/** Looks and pauses until a look returns a result; `undefined` means "not yet". */
async function lookUntilSettled<T>(
  run: Run,
  { state, ...pace }: Sought & Pace,
  look: () => Promise<T | undefined>,
): Promise<T> {
  const lasting = { since: Date.now(), ...pace };
  const pause = createPause(run, lasting);
  try {
    for (;;) {
      const { state: settled, reads } = await run.api.times.look(look);
      if (settled !== undefined) return settled;
      refuseLate(pace);
      const hasNews = await untilNews(run, reads, { pace: lasting, state: state?.() });
      if (!hasNews) await pause(state?.());
    }
  } finally {
    run.ledger.setWaiting(undefined);
  }
}

interface Grace extends Sought, Pick<Pace, 'mayLast'> {
  /** When the grace time is over, in milliseconds since the epoch; `-Infinity` where nothing has to show any more. */
  until: number;
}

/**
 * Looks through the grace time. Lists lag behind what has been made, so nothing counts as absent before
 * that time is over. `isLate` says that a look began after it: only then is "nothing" a proof. One look alone is none: a wait
 * that begins when the time is over looks twice. A look that is not sure yet returns `undefined`, also after the grace time.
 */
export function lookUntilGraceEnds<T>(
  run: Run,
  grace: Grace,
  look: (isLate: boolean) => Promise<T | undefined>,
): Promise<T> {
  const { until } = grace;
  let isAlone = until > -Infinity;
  return lookUntilSettled(run, { ...grace, type: 'list of the API' }, () => {
    const isLate = Date.now() >= until && !isAlone;
    isAlone = false;
    return look(isLate);
  });
}

interface Wait extends Sought {
  /** An entry of the policy's table of usual durations. */
  type: string;
}

/**
 * Looks at the pace that the policy gives for this type. Fails as `DeadlineExceeded` when the policy's
 * time to give up is over and a look has still no result.
 */
export function lookUntilGivenUp<T>(
  run: Run,
  wait: Wait,
  look: () => Promise<T | undefined>,
): Promise<T> {
  const giveUpMs = run.prepared.policy.poll.typical[wait.type]?.giveUpMs;
  const giveUpAt = giveUpMs === undefined ? undefined : Date.now() + giveUpMs;
  return lookUntilSettled(run, { ...wait, giveUpAt }, look);
}
