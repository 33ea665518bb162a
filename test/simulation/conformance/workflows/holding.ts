import { CancellationScope, condition, setHandler, sleep } from '@temporalio/workflow';

import { outcomeOf } from '../explain-error.js';
import { go } from './basics.js';
import { add, state } from './messages.js';
import { act, local } from './proxies.js';

/** At `go`, holds its task by a local activity while things happen to its timer and its activity. */
export async function holdsAndThen(then: 'complete' | 'cancel' | 'wait'): Promise<unknown> {
  const got: unknown[] = [];
  setHandler(go, (value) => {
    got.push(value);
  });
  setHandler(state, () => got.length);
  setHandler(add, (what) => {
    got.push(what);
    return got.length;
  });
  const scope = new CancellationScope();
  const slept = outcomeOf(scope.run(() => sleep(4_000)));
  const performed = outcomeOf(scope.run(() => act.perform('it')));
  await condition(() => got.length > 0);
  await local.perform('hold');
  if (then === 'complete') return got;
  const during = [...got];
  if (then === 'cancel') scope.cancel();
  const ended = { slept: await slept, performed: await performed };
  await sleep(300);
  return { during, ended, got };
}
