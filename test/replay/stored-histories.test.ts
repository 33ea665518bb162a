import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { types } from 'node:util';

import { beforeAll, describe, expect, it } from '@jest/globals';
import { DeterminismViolationError } from '@temporalio/workflow';
import {
  bundleWorkflowCode,
  DefaultLogger,
  Runtime,
  Worker,
  type BundleOptions,
  type WorkflowBundleWithSourceMap,
} from '@temporalio/worker';
import { z } from 'zod';

import { HISTORIES } from '../support/replay/record-history.js';

const stored = readdirSync(HISTORIES).filter((name) => name.endsWith('.json'));
const quiet = new DefaultLogger('ERROR', () => undefined);

/**
 * For the language that the shipped bundle is compiled for. The bundler's own choice is an older one,
 * with a tenth of the code that nobody ships: the same helpers in every module.
 */
const asShipped: NonNullable<BundleOptions['webpackConfigHook']> = (config) => {
  const rules = config.module?.rules?.map((rule) => {
    const isOurs = rule instanceof Object && types.isRegExp(rule.test) && rule.test.test('x.ts');
    if (!isOurs || !(rule.use instanceof Object) || !('loader' in rule.use)) return rule;
    const jsc = { target: 'es2022', parser: { syntax: 'typescript' } };
    return { ...rule, use: { ...rule.use, options: { sourceMap: true, jsc } } };
  });
  return { ...config, module: { ...config.module, ...(rules && { rules }) } };
};

const bundle = (folder: string): Promise<WorkflowBundleWithSourceMap> =>
  bundleWorkflowCode({
    workflowsPath: resolve(folder),
    logger: quiet,
    webpackConfigHook: asShipped,
  });

const historyOf = (name: string) => {
  const history: unknown = JSON.parse(readFileSync(`${HISTORIES}/${name}`, 'utf8'));
  return { workflowId: idOf(history), history };
};

const REPLAYS = 'replays';

/** What became of each, in one worker for all: to read the bundle takes longer than any of them. */
async function replay(
  workflowBundle: WorkflowBundleWithSourceMap,
  names: readonly string[],
): Promise<Map<string | undefined, unknown>> {
  const outcomes: unknown[] = [];
  const histories = names.map(historyOf);
  for await (const { error } of Worker.runReplayHistories({ workflowBundle }, histories)) {
    outcomes.push(error ?? REPLAYS);
  }
  return new Map(outcomes.map((outcome, index) => [names[index], outcome]));
}

const startedSchema = z.object({
  events: z.tuple(
    [z.object({ workflowExecutionStartedEventAttributes: z.object({ workflowId: z.string() }) })],
    z.unknown(),
  ),
});

/** Ids of child runs are made from it. */
function idOf(history: unknown): string {
  const [started] = startedSchema.parse(history).events;
  return started.workflowExecutionStartedEventAttributes.workflowId;
}

describe('the workflows', () => {
  let ours: WorkflowBundleWithSourceMap;
  let outcomes: Awaited<ReturnType<typeof replay>>;

  beforeAll(async () => {
    Runtime.install({ logger: quiet });
    ours = await bundle('src/workflows');
    outcomes = await replay(ours, stored);
  });

  it('have stored histories of every way a run can end', () => {
    expect(stored.sort()).toEqual([
      'aborted.json',
      'access-cancelled.json',
      'access-corrected.json',
      'access-granted.json',
      'access-overwritten.json',
      'access-planned.json',
      'access-refused.json',
      'activation-failed.json',
      'adopted.json',
      'blocked.json',
      'canary-failed.json',
      'cancelled-in-doubt-keep.json',
      'cancelled-in-doubt-rollback.json',
      'cancelled.json',
      'created-protected.json',
      'created.json',
      'deadline.json',
      'held.json',
      'import-cancelled.json',
      'import-planned.json',
      'import-recovered.json',
      'import-went-on.json',
      'imported.json',
      'invalid-input.json',
      'items-failed.json',
      'keys-blocked.json',
      'keys-cancelled.json',
      'keys-listed.json',
      'keys-refused.json',
      'kv-cancelled.json',
      'kv-lost.json',
      'kv-manifest.json',
      'kv-planned.json',
      'kv-refused.json',
      'kv-written.json',
      'leftovers-removed.json',
      'paused.json',
      'planned.json',
      'protection-cancelled.json',
      'protection-planned.json',
      'recovered.json',
      'task-error.json',
      'traced.json',
      'watched.json',
    ]);
  });

  it.each(stored)('decide as the stored history %s records', (name) => {
    expect(outcomes.get(name)).toBe(REPLAYS);
  });

  it('would be caught if they decided differently', async () => {
    const diverging = await bundle('test/replay/diverging-workflows');

    const outcome = await replay(diverging, ['created.json']);

    expect(outcome.get('created.json')).toBeInstanceOf(DeterminismViolationError);
  });

  it('fit into 1,000 KiB, without zod and without an HTTP client', () => {
    const code = ours.code.replace(/\/\/# sourceMappingURL=.*$/s, '');

    expect(code.length).toBeLessThan(1_000 * 1024);
    expect(code).not.toContain('ZodError');
    expect(code).not.toContain('HTTPError');
  });
});
