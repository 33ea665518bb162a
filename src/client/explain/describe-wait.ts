import { holderOf } from '../../engine/core/names.js';
import type { StatusDocument, Waiting } from '../../engine/schema/status-document.js';
import type { Command } from './narrative.js';
import type { RunFacts } from './run-facts.js';
import { sentence, when } from './sentences.js';

/** A wait of this many times the usual one is worth a remark. */
const REMARKABLE_FACTOR = 3;

/** What the run waits for, and since when. */
export function describeWait(waiting: Waiting, facts: RunFacts): string[] {
  const now = Date.parse(facts.observedAt);
  const { state, since, typicalSeconds, nextCheckAt, endsBy, watched, unwatched, deadline } =
    waiting;
  const usual = typicalSeconds === undefined ? '' : `; ${typicalSeconds} s are usual`;
  return [
    `It has waited since ${when(since, now)} for ${waiting.for}${state === undefined ? '' : ` (${state})`}${usual}${isLong(waiting, now) ? ', so this takes much longer' : ''}`,
    watched === true ? describeWatch(facts) : '',
    unwatched === undefined
      ? ''
      : `No worker watches it: ${sentence(unwatched)} So the run looks by itself, less often, and asks for a watcher from time to time`,
    nextCheckAt === undefined ? '' : `It checks again at ${when(nextCheckAt, now)}`,
    endsBy === undefined ? '' : `It ends at ${when(endsBy, now)} at the latest`,
    deadline === undefined ? '' : `It gives up at ${when(deadline, now)}`,
  ];
}

function isLong({ since, typicalSeconds }: Waiting, now: number): boolean {
  const elapsedMs = now - Date.parse(since);
  return typicalSeconds !== undefined && elapsedMs > typicalSeconds * 1000 * REMARKABLE_FACTOR;
}

/** The heartbeat of a watch says when the API does not answer it. */
function describeWatch({ calls }: RunFacts): string {
  const [trouble] = calls.flatMap(({ waiting }) =>
    waiting?.waitingFor === 'task' ? [waiting.trouble] : [],
  );
  return trouble === undefined
    ? 'A worker checks every few seconds'
    : `A worker checks for it, but its last check failed: ${trouble}`;
}

/** What a person does about a wait that another run or the API has to end. */
export function waitTroubles(
  { workflowId, observedAt }: RunFacts,
  { waiting }: StatusDocument,
  command: Command,
): { sentence: string; next: string }[] {
  if (waiting === undefined) return [];
  const holder = holderOf(waiting.state);
  if (holder !== undefined) {
    return [
      {
        sentence: `The run "${holder}" keeps the turn until it goes on or ends`,
        next: `see what the run that has the turn waits for: ${command('explain', holder)}`,
      },
    ];
  }
  const [, child] = /^run (\S+)/.exec(waiting.for) ?? [];
  if (child !== undefined) {
    return [{ sentence: '', next: `see where that run is: ${command('explain', child)}` }];
  }
  if (!isLong(waiting, Date.parse(observedAt))) return [];
  return [
    {
      sentence: 'It goes on by itself when this ends',
      next: `wait; if it lasts, ask the support of the API (the run waits for ${waiting.for}); to follow it: ${command('watch', workflowId)}`,
    },
  ];
}
