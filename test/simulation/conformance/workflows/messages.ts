import {
  allHandlersFinished,
  ApplicationFailure,
  condition,
  defineQuery,
  defineSignal,
  defineUpdate,
  proxySinks,
  setDefaultSignalHandler,
  setHandler,
  sleep,
} from '@temporalio/workflow';

import { go } from './basics.js';
import { act, local } from './proxies.js';

/** Tells the script of each call of an update handler, also of one that is played again. */
type Witness = Record<'witness', { called(what: string): void }>;

export const state = defineQuery<unknown, [string?]>('state');
export const add = defineUpdate<unknown, [string, unknown?]>('add');
export const finish = defineSignal('finish');

/** Collects what it is told until `finish`. */
export async function collector(): Promise<unknown> {
  const got: unknown[] = [];
  let isFinished = false;
  setHandler(go, (value) => {
    got.push(value);
  });
  setHandler(state, (what) => {
    if (what === 'throw') throw new RangeError('no such thing to ask');
    return { what, got };
  });
  setHandler(add, (what, value) => update(got, what, value), {
    validator: (...[what]: [string, unknown?]) => {
      validate(what);
    },
  });
  setHandler(finish, () => {
    isFinished = true;
  });
  await condition(() => isFinished);
  return got;
}

function validate(what: string): void {
  if (what === 'invalid') throw new TypeError('this is not valid');
  if (what === 'refused') throw ApplicationFailure.create({ message: 'refused', type: 'Refused' });
}

async function update(got: unknown[], what: string, value: unknown): Promise<unknown> {
  if (what === 'fail') throw ApplicationFailure.create({ message: 'failed', type: 'Failed' });
  if (what === 'act') got.push(await act.perform('for the update'));
  if (what === 'local') got.push(await local.perform('for the update'));
  if (what === 'sleep') await sleep(700);
  if (what === 'for ever') await sleep(600_000);
  got.push(value);
  return { what, length: got.length };
}

/** Ends at `finish` only when all updates have ended. */
export async function patientCollector(): Promise<unknown> {
  const got = await collector();
  await condition(allHandlersFinished);
  return got;
}

/** Tells of the calls of its handler until `finish`. */
export async function tellsOfUpdates(): Promise<void> {
  const { witness } = proxySinks<Witness>();
  let isFinished = false;
  setHandler(
    add,
    (...[what]: [string, unknown?]) => {
      witness.called(what);
    },
    {
      validator: (...[what]: [string, unknown?]) => {
        validate(what);
      },
    },
  );
  setHandler(finish, () => {
    isFinished = true;
  });
  await condition(() => isFinished);
}

/** Ends in the task in which an update comes. */
export async function endsAtUpdate(): Promise<string> {
  let isAsked = false;
  setHandler(add, async () => {
    isAsked = true;
    await sleep(60_000);
    return 'too late';
  });
  await condition(() => isAsked);
  return 'ended';
}

/** Takes signals before there is a handler for them. */
export async function lateHandlers(): Promise<unknown> {
  const got: unknown[] = [];
  setHandler(go, (value) => {
    got.push(['go', value]);
  });
  await condition(() => got.length > 0);
  setDefaultSignalHandler((name, ...args) => {
    got.push([name, args]);
  });
  await condition(() => got.length >= 3);
  return got;
}

/** Its handlers wait: they begin in the order of the signals, and end in the order of their waits. */
export async function slowHandlers(): Promise<unknown> {
  const got: unknown[] = [];
  setHandler(go, async (ms) => {
    got.push(`begin ${String(ms)}`);
    await sleep(Number(ms));
    got.push(`end ${String(ms)}`);
  });
  await condition(() => got.length >= 4);
  await condition(allHandlersFinished);
  return got;
}
