import { readFileSync } from 'node:fs';
import { promiseHooks } from 'node:v8';

import { describe, expect, it } from '@jest/globals';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { z } from 'zod';

import { HISTORIES } from '../support/replay/record-history.js';

/** What the SDK keeps of the run that a promise of the sandbox belongs to. */
const activatorSchema = z.object({ moduleCache: z.object({ size: z.number() }) });

function activatorOf(promise: Promise<unknown>): z.infer<typeof activatorSchema> | undefined {
  // As the SDK finds it itself: by the global object of the context that made the promise.
  const makeFunction: unknown = promise.constructor.constructor;
  if (typeof makeFunction !== 'function') return undefined;
  const read: unknown = Reflect.apply(makeFunction, undefined, [
    'return globalThis.__TEMPORAL_ACTIVATOR__',
  ]);
  const activator: unknown = typeof read === 'function' ? Reflect.apply(read, undefined, []) : read;
  return activatorSchema.safeParse(activator).data;
}

/** Replays a stored history with the shipped bundle, which the SDK does in this thread, and counts what its run makes. */
async function replayCounted(name: string): Promise<{ promises: number; modules: number }> {
  const counted = { promises: 0, modules: 0 };
  const stop: unknown = promiseHooks.onInit((promise) => {
    const activator = activatorOf(promise);
    if (activator === undefined) return;
    counted.promises += 1;
    counted.modules = Math.max(counted.modules, activator.moduleCache.size);
  });
  try {
    const history: unknown = JSON.parse(readFileSync(`${HISTORIES}/${name}.json`, 'utf8'));
    const workflowBundle = { codePath: 'dist/workflow-bundle.js' };
    await Worker.runReplayHistory({ workflowBundle }, history, 'counted');
  } finally {
    if (typeof stop === 'function') Reflect.apply(stop, undefined, []);
  }
  return counted;
}

// Each promise costs the CPU of a stack trace, and each module of a run its memory: docs/decisions/0044.
describe('a run of provisionInstance', () => {
  it('makes no more promises than before, and shares the modules of the bundle with all other runs', async () => {
    Runtime.install({ logger: new DefaultLogger('ERROR', () => undefined) });

    const { promises, modules } = await replayCounted('created');

    expect(promises).toBeGreaterThan(0);
    expect(promises).toBeLessThanOrEqual(147);
    // The payload converter of the SDK, which is an empty module here.
    expect(modules).toBe(1);
  });
});
