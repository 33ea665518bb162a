import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';

import { flattenGroups, type Group, type ActivityKind } from './activity-groups.js';
import { attemptOf, serverTime } from './attempt.js';
import { beforeSending } from './before-sending.js';
import { readUntilNews } from './read-until-news.js';
import { isNotFound } from './run-of-activity.js';
import { withinMs } from '../http/call-context.js';
import { FailureType, type FailureDetails } from '../core/failures.js';
import { runIdOf } from '../core/identity.js';
import {
  answerOf,
  type AnsweredAndRead,
  type AskForNews,
  type FirstLook,
  type LaterRead,
  type ReadsOfChange,
  type ShownLater,
} from '../core/news.js';
import type { Stamped } from '../core/product.js';

/** The activity itself refuses to send: the run looks again. */
export function notSentFailure(reason: string, details: FailureDetails): ApplicationFailure {
  return ApplicationFailure.create({
    // What the API turns away has the same type: nothing has happened.
    type: FailureType.serviceUnavailable,
    nonRetryable: true,
    message: `Not sent: ${reason}. ${details.advice}`,
    details: [details],
  });
}

/**
 * The reads as a worker registers them: each answer says when its first request went out. The run hears of an
 * answer only with its next workflow task, which may come hours later, after a deployment. Asked for news, a read
 * answers nothing, when there are some.
 */
export function stampReads<G extends Group>(reads: G): StampedReads<G>;
export function stampReads(reads: Group): StampedReads<Group> {
  return Object.fromEntries(
    Object.entries(reads).map(([name, read]) => [
      name,
      async (input: never, news?: AskForNews): Promise<Stamped<unknown>> => {
        if (news !== undefined) {
          await readUntilNews(() => read(input), news);
          return { result: undefined, readAt: null };
        }
        const result = await read(input);
        return { result, readAt: attemptOf(Context.current()).sentAt ?? null };
      },
    ]),
  );
}

export type StampedReads<G> = {
  [K in keyof G]: G[K] extends (input: infer I) => Promise<infer R>
    ? (input: I, news?: AskForNews) => Promise<Stamped<R>>
    : never;
};

const ADVICE =
  'Nothing to do: the run looks again, in its turn, for what was made or changed since.';

/** What the input of every change says about the run that asks for it, as its history knows it. */
export interface Signed {
  /** Its Run Id; left out where no run asks. */
  writer?: string;
  /** How it signs what it makes, and what it has looked for. Only of a create. */
  maker?: string;
}

/**
 * The changes as a worker registers them: none is sent when an operator has reset its run. The copied events hold what
 * the run has looked at, and its turn. It may have sent the same call after that, given back the turn, or never sent a
 * call that is now queued anew. Only the activity knows both Run Ids: the workflow replays the copied events, and must
 * decide then as it did before.
 */
export function refuseInResetRuns<G extends Group>(changes: G): G;
export function refuseInResetRuns(changes: Group): Group {
  return Object.fromEntries(
    Object.entries(changes).map(([name, change]) => [
      name,
      async (input: never) => {
        refuseInResetRun(input);
        return change(input);
      },
    ]),
  );
}

/**
 * The changes as a worker registers them, with the reads that their run asks for. It hears of all at once.
 *
 * Asked to look first, one reads what it rests on and sends only when nothing is there: nothing can come between the two.
 * Asked to look then, one reads as soon as the API has answered. That fails no change: what is not read at once, the
 * run reads by itself.
 */
export function withReads<G extends Group>(changes: G, reads: Group): WithReads<G>;
export function withReads(changes: Group, reads: Group): WithReads<Group> {
  return Object.fromEntries(
    Object.entries(changes).map(([name, change]) => [
      name,
      async (input: never, { first, then }: ReadsOfChange = {}) => {
        if (first !== undefined) {
          refuseInResetRun(input);
          await beforeSending(() => refuseWhatIsThere(first, reads));
        }
        const answer: unknown = await change(input);
        if (then === undefined) return answer;
        return { answer, shown: await readAtOnce(then, reads) } satisfies AnsweredAndRead;
      },
    ]),
  );
}

export type WithReads<G> = {
  [K in keyof G]: G[K] extends (input: infer I) => Promise<infer R>
    ? (input: I, reads?: ReadsOfChange) => Promise<R>
    : never;
};

async function readOf(reads: Group, { read: name, input }: LaterRead): Promise<unknown> {
  const read: ((input: never) => Promise<unknown>) | undefined = reads[name];
  if (read === undefined) throw new TypeError(`no read has the name ${name}`);
  const shown: unknown = await Reflect.apply(read, undefined, [input]);
  return shown;
}

/** The run waits so long for reads that it can make by itself. */
const AT_ONCE_MS = 3_000;

async function readAtOnce(then: readonly LaterRead[], reads: Group): Promise<ShownLater[]> {
  const shown: ShownLater[] = [];
  // Shows what the server's time is.
  attemptOf(Context.current());
  try {
    await withinMs(AT_ONCE_MS, async () => {
      for (const asked of then) {
        const one = await showLater(reads, asked);
        shown.push(one);
        // A look goes no further than to what is missing.
        if ('missing' in one) return;
      }
    });
  } catch {
    // The change was answered: that counts, whatever its reads come to.
  }
  return shown;
}

async function showLater(reads: Group, asked: LaterRead): Promise<ShownLater> {
  const readAt = serverTime();
  try {
    return { readAt, result: await readOf(reads, asked) };
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const { message, details } = error;
    return { readAt, missing: { message, details: details ?? [] } };
  }
}

/** A list may lack a row once, so nothing is sent on the word of one. */
async function refuseWhatIsThere(first: FirstLook, reads: Group): Promise<void> {
  const isNothing = async () => answerOf(await readOf(reads, first)) === answerOf(first.nothing);
  if ((await isNothing()) && (await isNothing())) return;
  throw notSentFailure('something of this request is there already', {
    advice: LOOK_ADVICE,
    isThere: true,
  });
}

const LOOK_ADVICE =
  'Nothing to do: the run looks at it, and goes on with what an earlier try of the request made.';

function refuseInResetRun({ writer, maker }: Signed): void {
  const { runId } = Context.current().info.workflowExecution ?? {};
  const names = [writer, maker && runIdOf(maker)];
  const before = names.find((name) => name !== undefined && name !== runId);
  if (writer === undefined || runId === undefined || before === undefined) return;
  throw notSentFailure(`run ${before} was reset, and what it has seen may be old`, {
    advice: ADVICE,
    resetTo: runId,
  });
}

/**
 * What a worker registers for an account: its reads say when they were made, and nothing is sent for a run that was
 * reset. By the groups alone, so that no call can be left out.
 */
export function registeredActivities<G extends Record<ActivityKind, Group>>(groups: G) {
  return flattenGroups({
    ...groups,
    reads: stampReads(groups.reads),
    deletes: withReads(refuseInResetRuns(groups.deletes), groups.reads),
    mutations: withReads(refuseInResetRuns(groups.mutations), groups.reads),
    convergent: refuseInResetRuns(groups.convergent),
  });
}
