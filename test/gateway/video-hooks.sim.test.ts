import { describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';

import { SearchAttribute } from '../../src/contract/wire/names.js';
import { pauseUpdate, statusQuery } from '../../src/engine/core/messages.js';
import { DEFAULT_POLL_POLICY } from '../../src/contract/wire/tasks.js';
import { at, bearer, gatewayOf, post, tokensOf } from '../support/gateway/gateway-world.js';
import { inScenario, type Scenario } from '../simulation/scenario.js';
import { until } from '../support/timing/until.js';
import { manyVideos, VIDEO_LIST } from '../support/worlds/videos.js';
const HOUR = 3_600_000;
const hourly = { firstMs: HOUR, usualMs: HOUR };
/** By its timer an import looks after an hour. */
const poll = {
  ...DEFAULT_POLL_POLICY,
  minMs: 10,
  maxMs: HOUR,
  typical: { video: hourly },
};
const SLOW_LOOKS = { policy: { poll } };
const TOKENS = tokensOf({
  'the-hook': { name: 'streaming', scopes: ['hint'] },
  'the-other-hook': { name: 'other-streaming', scopes: ['hint'], accounts: ['elsewhere'] },
  'the-reader': { name: 'reader', scopes: ['read', 'run', 'operate'] },
});

/** Sends a hook as the platform does, and gives the status of the answer. */
function senderOf(scenario: Scenario, token = 'the-hook') {
  const gateway = gatewayOf(scenario, { tokens: TOKENS });
  const url = at(`/hooks/videos/${scenario.account}/${token}`);
  return async (id: unknown): Promise<number> => {
    const hook = { type: 'video', message: { id, status: 'viewable' } };
    return (await gateway.request(url, post(hook))).status;
  };
}

async function untilWaiting(run: WorkflowHandle): Promise<void> {
  await until('the run waits for its videos', async () => {
    const { steps, phase } = await run.query(statusQuery);
    return phase === 'waiting' && steps[2]?.state === 'waiting';
  });
}

const idsIn = ({ simulator }: Scenario): number[] =>
  simulator.inventory().videos.map(({ id }) => id);

const looksOf = ({ simulator }: Scenario) =>
  simulator.requests.filter(({ method, path }) => method === 'GET' && path === VIDEO_LIST.path);

const signalsOf = async (run: WorkflowHandle): Promise<number> =>
  (await run.fetchHistory()).events?.filter(
    (event) => event.workflowExecutionSignaledEventAttributes,
  ).length ?? 0;

const untilViewable = ({ simulator }: Scenario) =>
  until('the videos are viewable', () =>
    simulator.inventory().videos.every(({ status }) => status === 'viewable' || status === 'ready'),
  );

describe('POST /hooks/videos/{token}', () => {
  it('lets an import look at the changed video at once, and at no other', () =>
    inScenario(SLOW_LOOKS, async (scenario) => {
      const sendHook = senderOf(scenario);
      const run = await scenario.start('importVideos', { videos: manyVideos(3) });
      await untilWaiting(run);
      await untilViewable(scenario);
      const [first = 0, ...others] = idsIn(scenario);
      const before = looksOf(scenario).length;

      expect(await sendHook(first)).toBe(202);
      await until('the run has seen it', async () => {
        const { steps } = await run.query(statusQuery);
        return steps[2]?.note === '1 done, 0 failed, 2 pending';
      });

      expect(looksOf(scenario).slice(before)).toMatchObject([{ query: { id: [String(first)] } }]);
      for (const id of others) expect(await sendHook(id)).toBe(202);
      expect(await run.result()).toMatchObject({ counts: { succeeded: 3 } });
    }));

  it('believes no hook: a video that has not changed stays pending', () =>
    inScenario({ ...SLOW_LOOKS, speed: 1 }, async (scenario) => {
      const sendHook = senderOf(scenario);
      const run = await scenario.start('importVideos', { videos: manyVideos(1) });
      await untilWaiting(run);
      const before = looksOf(scenario).length;

      for (const id of idsIn(scenario)) await sendHook(id);
      await until('the run has looked', () => looksOf(scenario).length > before);

      expect((await run.query(statusQuery)).steps[2]?.note).toBe('0 done, 0 failed, 1 pending');
      await run.cancel();
    }));

  it('tells an import seldom, however many hooks come, and a paused one never', () =>
    inScenario(SLOW_LOOKS, async (scenario) => {
      const sendHook = senderOf(scenario);
      const paused = await scenario.start('importVideos', { videos: manyVideos(1) });
      await untilWaiting(paused);
      await paused.executeUpdate(pauseUpdate);
      await until('the list says so', async () => {
        const { workflow } = scenario.client;
        const query = `WorkflowId = "${paused.workflowId}" AND ${SearchAttribute.phase} = "paused"`;
        return (await workflow.count(query)).count === 1;
      });
      const run = await scenario.start('importVideos', { videos: manyVideos(2) });
      await untilWaiting(run);
      await untilViewable(scenario);

      for (let id = 1; id <= 300; id++) await sendHook(id);
      for (const id of idsIn(scenario)) await sendHook(id);
      await run.result();

      expect(await signalsOf(run)).toBeLessThanOrEqual(3);
      expect(await signalsOf(paused)).toBe(0);
      await paused.cancel();
    }));

  it('takes only a token of this scope, which opens nothing else', () =>
    inScenario({}, async (scenario) => {
      const gateway = gatewayOf(scenario, { tokens: TOKENS });
      const elsewhere = at('/hooks/videos/No-account/the-hook');

      expect(await senderOf(scenario, 'a-guess')(1)).toBe(401);
      expect(await senderOf(scenario, 'the-reader')(1)).toBe(403);
      expect(await senderOf(scenario, 'the-other-hook')(1)).toBe(403);
      expect(await senderOf(scenario)('nonsense')).toBe(202);
      expect((await gateway.request(elsewhere, post({}))).status).toBe(404);
      expect((await gateway.request(at('/v1/runs'), bearer('the-hook'))).status).toBe(403);
    }));
});
