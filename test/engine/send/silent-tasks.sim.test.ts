import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import { statusQuery } from '../../../src/engine/core/messages.js';
import { StepState } from '../../../src/engine/core/status.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import type { Line } from '../../support/http/open-line.js';
import { protectInput, PROFILES_PATH } from '../../support/inputs/protect-input.js';
import { CREATE_PATH, provisionInput } from '../../support/inputs/provision-input.js';
import { endOfRun } from '../../support/runs/run-failure.js';
import { pass } from '../../support/timing/pass.js';
import { until } from '../../support/timing/until.js';
import { dataVolumeOf, stateWithInstances } from '../../support/worlds/instances.js';

const SNAPSHOTS_PATH = '/cloud/v1/snapshots/1/1';
const world = { state: stateWithInstances([{ of: 1 }]) };

/** Tasks do not say this: the documents let them. */
function tasksWithout(...fields: string[]): Line {
  return async (request) => {
    const answer = await fetch(request);
    if (!new URL(request.url).pathname.includes('/tasks')) return answer;
    const body: unknown = JSON.parse(await answer.text(), (key, value: unknown) =>
      fields.includes(key) ? null : value,
    );
    return Response.json(body, { status: answer.status });
  };
}

const silentTasks = tasksWithout('created_resources', 'tags');
const unmarkedTasks = tasksWithout('tags');

/** The call arrives after its connection has broken, and its task is listed when it has ended. */
const lateCall: Line = async (request) => {
  if (request.method === 'POST') {
    setTimeout(() => void fetch(request).catch(() => undefined), 200);
    throw new Error('the connection has broken');
  }
  const answer = await unmarkedTasks(request);
  if (!new URL(request.url).pathname.endsWith('/tasks')) return answer;
  const { results } = listSchema.parse(await answer.json());
  const ended = results.filter((row) => endedSchema.safeParse(row).success);
  return Response.json({ count: ended.length, results: ended });
};

/** Nothing shows what is new until some time after its task has ended. */
function lateShown(path: string, isDone: () => boolean, tasks: Line): Line {
  let endedAt: number | undefined;
  let known: unknown[] | undefined;
  return async (request) => {
    const answer = await tasks(request);
    if (isDone()) endedAt ??= Date.now();
    const asked = new URL(request.url).pathname;
    if (request.method !== 'GET' || !asked.startsWith(path)) return answer;
    if (endedAt !== undefined && Date.now() > endedAt + LAG_MS) return answer;
    if (asked !== path) return Response.json({ message: 'not found' }, { status: 404 });
    known ??= listSchema.parse(await answer.json()).results;
    return Response.json({ count: known.length, results: known });
  };
}

const endedSchema = z.looseObject({ state: z.literal('FINISHED') });
const listSchema = z.looseObject({ results: z.array(z.unknown()) });
/** Less than the grace time. */
const LAG_MS = 400;

const MAKES = [
  {
    operation: 'snapshotVolume',
    path: SNAPSHOTS_PATH,
    lists: SNAPSHOTS_PATH,
    made: 'snapshots',
    start: ({ start }: Scenario) =>
      start('snapshotVolume', { volumeId: dataVolumeOf(1), name: 'before' }),
  },
  {
    operation: 'provisionInstance',
    path: CREATE_PATH,
    lists: '/cloud/v1/instances/1/1',
    made: 'instances',
    start: ({ start }: Scenario) => start('provisionInstance', provisionInput()),
  },
  {
    operation: 'protectIp',
    path: PROFILES_PATH,
    lists: PROFILES_PATH,
    made: 'ddosProfiles',
    start: ({ start }: Scenario) => start('protectIp', protectInput()),
  },
] as const;

describe('where tasks do not say what they made', () => {
  it.each(MAKES)(
    'a cancelled $operation looks until lists have caught up',
    ({ path, made, start }) =>
      inScenario(
        { ...world, line: silentTasks, policy: { reconcileGraceMs: 20_000, watcher: false } },
        async (scenario) => {
          const { simulator } = scenario;
          const before = simulator.inventory()[made].length;
          simulator.faults.add({
            match: { method: 'POST', path },
            action: { kind: 'list-lag', ms: 10_000, tasksAtOnce: true },
          });
          const run = await start(scenario);
          await until('its task has finished', async () => {
            const { steps } = await run.query(statusQuery);
            const { tasks } = simulator.inventory();
            const isAccepted = steps.some(({ state }) => state === StepState.waiting);
            return isAccepted && tasks.every(({ state }) => state === 'FINISHED');
          });
          await run.cancel();

          await expect(run.result()).rejects.toThrow();

          expect(simulator.inventory()[made]).toHaveLength(before);
        },
      ),
  );

  it.each(MAKES)(
    '$operation with a lost answer looks until lists have caught up with the end of a task',
    (make) => expectOneMade(make, { line: silentTasks, factor: 20 }),
  );

  it.each(MAKES.slice(0, 2))(
    '$operation with a call that arrives late does not believe at once that what its task names is gone',
    (make) => expectOneMade(make, { line: lateCall, factor: 1 }),
  );
});

/** Runs until its end, and expects one thing, by one call. */
function expectOneMade(
  { path, lists, made, start }: (typeof MAKES)[number],
  { line: way, factor }: { line: Line; factor: number },
): Promise<void> {
  let isDone = (): boolean => false;
  const line = lateShown(lists, () => isDone(), way);
  return inScenario({ ...world, line }, async (scenario) => {
    const { simulator, mutations } = scenario;
    const before = simulator.inventory()[made].length;
    isDone = () => {
      const { tasks } = simulator.inventory();
      return tasks.length > 0 && tasks.every(({ state }) => state === 'FINISHED');
    };
    const match = { method: 'POST', path };
    simulator.faults.add({ match, action: { kind: 'drop-response' } });
    simulator.faults.add({ match, action: { kind: 'slow-task', factor } });
    const run = await start(scenario);

    await run.result();

    expect(simulator.inventory()[made]).toHaveLength(before + 1);
    expect(mutations()).toEqual([`POST ${path}`]);
  });
}

describe('a removal that goes on when lists show everything for long', () => {
  const VOLUMES = '/cloud/v1/volumes/1/1';
  const volume = {
    projectId: 1,
    regionId: 1,
    source: 'new-volume' as const,
    name: 'data',
    size: 5,
  };
  const MADE = [
    { operation: 'createVolume', input: volume, path: VOLUMES, kind: 'volumes' },
    { operation: 'protectIp', input: protectInput(), path: PROFILES_PATH, kind: 'ddosProfiles' },
  ] as const;

  it.each(MADE)(
    'does not believe one list that lacks what is there: $operation',
    ({ operation, input, path, kind }) =>
      inScenario(
        { ...world, line: silentTasks, replays: false, policy: { reconcileGraceMs: 20_000 } },
        async ({ start, simulator }) => {
          const before = simulator.inventory()[kind].length;
          const refused = { kind: 'status', status: 503 } as const;
          simulator.faults.add({ match: { method: 'DELETE', times: Infinity }, action: refused });
          simulator.faults.add({
            match: { method: 'POST', path },
            action: { kind: 'slow-task', factor: 5 },
          });
          const run = await start(operation, input);
          await until('the create is sent', () =>
            simulator.requests.some((call) => call.method === 'POST' && call.path === path),
          );
          await run.cancel();
          await until('it is to be removed', () =>
            simulator.requests.some((call) => call.method === 'DELETE'),
          );
          await pass(40_000);
          simulator.faults.clear();
          const empty = { count: 0, results: [] };
          simulator.faults.add({
            match: { method: 'GET', path },
            action: { kind: 'status', status: 200, body: empty },
          });

          await endOfRun(run);

          expect(simulator.inventory()[kind]).toHaveLength(before);
        },
      ),
  );
});
