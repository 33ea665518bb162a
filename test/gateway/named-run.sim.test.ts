import { describe, expect, it } from '@jest/globals';

import { statusQuery } from '../../src/engine/core/messages.js';
import { inScenario, type Scenario } from '../simulation/scenario.js';
import { resetRun } from '../support/runs/reset-run.js';
import {
  at,
  bodyOf,
  gatewayOf,
  gcoreOf,
  post,
  readEvents,
} from '../support/gateway/gateway-world.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { holdTaskReads } from '../support/worlds/hold-task-reads.js';

interface Two {
  ask: (path: string, init?: RequestInit) => Promise<{ status: number; body: unknown }>;
  path: string;
  first: string;
  second: string;
  release: () => void;
}

/** A request whose first run was cancelled, while its second one goes on. */
function withTwoRuns(test: (two: Two, scenario: Scenario) => Promise<void>): Promise<void> {
  return inScenario({}, async (scenario) => {
    const gcore = gcoreOf(scenario);
    const gateway = gatewayOf(scenario);
    const input = { ...provisionInput(), account: scenario.account };
    const start = () => gcore.start('provisionInstance', { requestId: 'order-1', input });
    const { workflowId, runId: first } = await start();
    await gcore.cancel(workflowId);
    await gcore.result('provisionInstance', workflowId).catch(() => undefined);
    const release = holdTaskReads(scenario.simulator);
    const { runId: second } = await start();
    const ask = async (path: string, init?: RequestInit) => {
      const answer = await gateway.request(at(path), init);
      return { status: answer.status, body: await bodyOf(answer) };
    };
    const path = `/v1/runs/${encodeURIComponent(workflowId)}`;
    await test({ ask, path, first, second, release }, scenario);
    release();
    await gcore.result('provisionInstance', workflowId);
  });
}

const OVER = { status: 409, body: { code: 'RunEnded' } };

describe('a request to the gateway that names its run', () => {
  it.each(['', '/explanation', '/events'])(
    'is refused at GET %s after another run has begun',
    (part) =>
      withTwoRuns(async ({ ask, path, first }) => {
        expect(await ask(`${path}${part}?runId=${first}`)).toMatchObject(OVER);
      }),
  );

  it.each(['pause', 'cancel', 'retry'])('asks another run for no %s', (action) =>
    withTwoRuns(async ({ ask, path, first, second }) => {
      expect(await ask(`${path}/${action}?runId=${first}`, post({}))).toMatchObject(OVER);

      expect(await ask(`${path}?runId=${second}`)).toMatchObject({
        ...{ status: 200, body: { state: 'RUNNING' } },
      });
    }),
  );

  it('tells the end of that run, also when another one has begun since', () =>
    withTwoRuns(async ({ ask, path, first, second, release }) => {
      const cancelled = { status: 422, body: { code: 'Cancelled' } };
      expect(await ask(`${path}/result?runId=${first}&wait=1s`)).toMatchObject(cancelled);

      const running = { status: 202, body: { state: 'RUNNING' } };
      expect(await ask(`${path}/result?runId=${second}`)).toMatchObject(running);
      release();
      const done = await ask(`${path}/result?runId=${second}&wait=50s`);
      expect(done).toMatchObject({ status: 200, body: { status: 'ACTIVE' } });
    }));

  it('means the same run after its reset', () =>
    withTwoRuns(async ({ ask, path, second }, { client }) => {
      const handle = client.workflow.getHandle(decodeURIComponent(path.replace('/v1/runs/', '')));
      // Its first workflow task has ended when it answers.
      await handle.query(statusQuery);
      await resetRun(client, handle, 'the first workflow task');

      const running = { status: 200, body: { state: 'RUNNING' } };
      expect(await ask(`${path}?runId=${second}`)).toMatchObject(running);
    }));

  it.each(['x', '', 'a&runId=b'])('is refused when the Run Id is "%s"', (runId) =>
    withTwoRuns(async ({ ask, path }) => {
      const refused = { status: 400, body: { faults: [{ parameter: 'runId' }] } };
      expect(await ask(`${path}?runId=${runId}`)).toMatchObject(refused);
    }),
  );

  it('ends its stream of events when another run begins', () =>
    inScenario({}, async (scenario) => {
      const gcore = gcoreOf(scenario);
      const input = { ...provisionInput(), account: scenario.account };
      const start = () => gcore.start('provisionInstance', { requestId: 'order-1', input });
      const release = holdTaskReads(scenario.simulator);
      const { workflowId, runId } = await start();
      const path = `/v1/runs/${encodeURIComponent(workflowId)}/events?runId=${runId}`;
      const stream = readEvents(await gatewayOf(scenario).request(at(path)));
      const handle = scenario.client.workflow.getHandle(workflowId);
      await handle.terminate();
      await start();

      // The next run goes on for as long as its task cannot be read.
      const late = new Promise((resolve) => setTimeout(resolve, 10_000, 'it goes on'));
      expect(await Promise.race([stream, late])).toContain('retry:');
      release();
      await gcore.result('provisionInstance', workflowId);
    }));
});
