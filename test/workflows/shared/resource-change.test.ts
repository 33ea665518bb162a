import { describe, expect, it } from '@jest/globals';

import type { ActionTaskView } from '../../../src/activities/action-tasks.js';
import { judgeTasks } from '../../../src/workflows/shared/resource-change.js';

/** `own` names the instance, the others name none. */
const TASKS: Readonly<Record<string, ActionTaskView>> = {
  ownOpen: { id: 'ownOpen', state: 'RUNNING', isOwn: true },
  ownDone: { id: 'ownDone', state: 'FINISHED', isOwn: true },
  ownFailed: { id: 'ownFailed', state: 'ERROR', isOwn: true },
  ownOld: { id: 'ownOld', state: 'FINISHED', isOwn: true, mayBeOlder: true },
  open: { id: 'open', state: 'NEW' },
  done: { id: 'done', state: 'FINISHED' },
  failed: { id: 'failed', state: 'ERROR' },
};

const task = (...taskIds: string[]) => ({ kind: 'task', taskIds });
const pending = { kind: 'pending' };
const none = { kind: 'none' };
const unclear = { kind: 'contradiction' };

interface Case {
  seen: string[];
  lock?: string;
  /** Of a call of this run, when the state shows the change, and when nothing does (a restart). */
  shown: object;
  restart: object;
  /** The same of a call of an earlier run. */
  earlier: object;
  earlierRestart: object;
}

const all = (verdict: object) => ({
  shown: verdict,
  restart: verdict,
  earlier: verdict,
  earlierRestart: verdict,
});

const CASES: readonly Case[] = [
  { seen: [], ...all(none) },
  { seen: ['ownOpen'], ...all(task('ownOpen')) },
  { seen: ['ownDone'], ...all(task('ownDone')), earlier: none },
  { seen: ['ownFailed'], ...all(task('ownFailed')), earlier: none, earlierRestart: none },
  { seen: ['ownOld'], ...all(task('ownOld')), earlier: none, earlierRestart: unclear },
  {
    seen: ['ownOld', 'ownDone'],
    ...all(task('ownOld', 'ownDone')),
    earlier: none,
    earlierRestart: task('ownDone'),
  },
  // Another call for the instance has failed.
  { seen: ['ownFailed', 'ownOpen'], ...all(task('ownOpen')) },
  { seen: ['open'], ...all(pending) },
  { seen: ['open'], lock: 'open', ...all(task('open')) },
  { seen: ['open'], lock: 'of another type', ...all(pending) },
  { seen: ['failed'], ...all(none) },
  { seen: ['done'], ...all(none), restart: unclear, earlierRestart: unclear },
  { seen: ['done', 'open'], ...all(pending) },
  { seen: ['done', 'ownOpen'], ...all(task('ownOpen')) },
];

describe('the tasks of the time of a lost call', () => {
  it.each(CASES)('decide: $seen, lock $lock', ({ seen, lock, ...expected }) => {
    const tasks = seen.flatMap((name) => TASKS[name] ?? []);
    const judge = (hasNoState: boolean, isEarlier: boolean) =>
      judgeTasks(tasks, { kind: 'instance', lock, hasNoState, isEarlier });

    expect({
      shown: judge(false, false),
      restart: judge(true, false),
      earlier: judge(false, true),
      earlierRestart: judge(true, true),
    }).toMatchObject(expected);
  });
});
