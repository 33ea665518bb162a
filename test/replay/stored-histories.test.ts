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

import { isChange, isMake } from '../../src/contract/operations/index.js';
import { Operation } from '../../src/contract/wire/names.js';
import { joinModules } from '../../src/worker/join-modules.js';
import { withoutStacks } from '../../src/worker/without-stacks.js';
import { TESTED_OPERATIONS } from '../support/operations/index.js';
import { HISTORIES } from '../support/replay/record-history.js';

const stored = readdirSync(HISTORIES)
  .filter((name) => name.endsWith('.json'))
  .sort();
const quiet = new DefaultLogger('ERROR', () => undefined);

/**
 * Joins modules like the shipped bundle, and compiles for its language version. The bundler's default is an older
 * version, which repeats the same helpers in every module and adds a tenth of code that nobody ships.
 */
const asShipped: NonNullable<BundleOptions['webpackConfigHook']> = (config) => {
  const rules = config.module?.rules?.map((rule) => {
    const isOurs = rule instanceof Object && types.isRegExp(rule.test) && rule.test.test('x.ts');
    if (!isOurs || !(rule.use instanceof Object) || !('loader' in rule.use)) return rule;
    const jsc = { target: 'es2022', parser: { syntax: 'typescript' } };
    return { ...rule, use: { ...rule.use, options: { sourceMap: true, jsc } } };
  });
  return joinModules({ ...config, module: { ...config.module, ...(rules && { rules }) } });
};

const bundle = (folder: string): Promise<WorkflowBundleWithSourceMap> =>
  bundleWorkflowCode({
    workflowsPath: resolve(folder),
    preloadModules: [resolve(folder)],
    logger: quiet,
    webpackConfigHook: asShipped,
  });

const historyOf = (name: string, change = (text: string) => text) => {
  const history: unknown = JSON.parse(change(readFileSync(`${HISTORIES}/${name}`, 'utf8')));
  // The replay needs the Workflow Id, because the ids of child runs contain it.
  return { workflowId: startOf(history).workflowId, history };
};

const REPLAYS = 'replays';

/** The outcome of each replay. One worker runs them all, because reading the bundle takes longest. */
async function replay(
  workflowBundle: WorkflowBundleWithSourceMap,
  names: readonly string[],
  change?: (text: string) => string,
): Promise<Map<string | undefined, unknown>> {
  const outcomes: unknown[] = [];
  const histories = names.map((name) => historyOf(name, change));
  // In a thread of its own: in this one the SDK would go on to watch each promise of all later test files.
  const options = { workflowBundle, debugMode: false, workflowThreadPoolSize: 1 };
  for await (const { error } of Worker.runReplayHistories(options, histories)) {
    outcomes.push(error ?? REPLAYS);
  }
  return new Map(outcomes.map((outcome, index) => [names[index], outcome]));
}

const startSchema = z.object({
  workflowId: z.string(),
  workflowType: z.object({ name: z.string() }),
});
const historySchema = z.object({
  events: z.tuple(
    [z.object({ workflowExecutionStartedEventAttributes: startSchema })],
    z.unknown(),
  ),
});

function startOf(history: unknown): z.infer<typeof startSchema> {
  const [started] = historySchema.parse(history).events;
  return started.workflowExecutionStartedEventAttributes;
}

/** One of each operation of its own form. A sandbox that takes stack traces runs the same modules, and takes far longer. */
const TRACED = Object.values(Operation)
  .filter((name) => !isChange(name) && !isMake(name))
  .map((name) => `${TESTED_OPERATIONS[name].histories[0]}.json`);

/** Of workflows that are no operations. */
const OTHERS = ['told-by-webhooks', 'lease-watches'];

describe('the workflows', () => {
  let ours: WorkflowBundleWithSourceMap;
  let small: WorkflowBundleWithSourceMap;
  let outcomes: Awaited<ReturnType<typeof replay>>;
  let withTraces: Awaited<ReturnType<typeof replay>>;

  beforeAll(async () => {
    Runtime.install({ logger: quiet });
    ours = await bundle('src/workflows');
    small = { ...ours, code: withoutStacks(ours.code) };
    outcomes = await replay(small, stored);
    withTraces = await replay(ours, TRACED);
  });

  it('have a stored history for each way in which a run can end', () => {
    const expected = Object.values(TESTED_OPERATIONS).flatMap(({ histories }) => histories);

    const all = [...expected, ...OTHERS];
    expect(stored).toEqual(all.map((name) => `${name}.json`).sort());
  });

  it.each(Object.entries(TESTED_OPERATIONS))(
    'have only their own histories: %s',
    (operation, tested) => {
      const types = tested.histories.map(
        (name) => startOf(historyOf(`${name}.json`).history).workflowType,
      );

      expect([...new Set(types.map(({ name }) => name))]).toEqual([operation]);
    },
  );

  it.each(stored)('decide as the stored history %s records', (name) => {
    expect(outcomes.get(name)).toBe(REPLAYS);
  });

  it.each(TRACED)('decide as the stored history %s records, with stack traces', (name) => {
    expect(withTraces.get(name)).toBe(REPLAYS);
  });

  it('fail the replay if they decide differently', async () => {
    const outcome = await replay(small, ['created.json'], (text) =>
      text.replaceAll('"createInstance"', '"deleteInstance"'),
    );

    expect(outcome.get('created.json')).toBeInstanceOf(DeterminismViolationError);
  });

  it('keep apart what exports objects, because joined modules freeze nothing', async () => {
    const inModule = [...ours.code.matchAll(/^;\/\/ (\.\/src\/\S+)$/gm)].map(([, path]) => path);
    const ofModule = [...ours.code.matchAll(/^\/\*{3}\/ "(\S+)"$/gm)].map(([, path]) => path);
    const joined = inModule.filter((path) => path !== undefined && !ofModule.includes(path));

    const objects: unknown[] = [];
    for (const path of joined) {
      const exported = z.record(z.string(), z.unknown()).parse(await import(resolve(String(path))));
      objects.push(...Object.values(exported).filter((value) => typeof value === 'object'));
    }

    expect(joined).not.toEqual([]);
    expect(objects).toEqual([]);
  });

  it('fit into 1 MiB in ASCII, without zod and without an HTTP client', () => {
    const { code } = small;

    expect(code.length).toBeLessThan(1024 * 1024);
    expect(code).toMatch(/^\p{ASCII}*$/u);
    expect(code).not.toContain('ZodError');
    expect(code).not.toContain('HTTPError');
  });
});
