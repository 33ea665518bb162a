import { describe, expect, it } from '@jest/globals';

import { createGcoreWorkflows } from '../../../src/client/index.js';
import type { OpenItem } from '../../../src/activities/batch/batch-runs.js';
import { nameOf } from '../../../src/contract/batch-names.js';
import {
  ItemState,
  itemWorkflowId,
  type BatchTerms,
  type SeenItem,
} from '../../../src/contract/wire/batch.js';
import { Standing } from '../../../src/engine/http/send-in-turn.js';
import { createBatchRuns } from '../../../src/worker/batch/create-batch-runs.js';
import { statusQuery } from '../../../src/engine/core/messages.js';
import type { StatusDocument } from '../../../src/contract/index.js';
import { holdTaskReads } from '../../support/worlds/hold-task-reads.js';
import { withClockSetBy } from '../../support/timing/set-clock.js';
import { until } from '../../support/timing/until.js';
import { provisionInput } from '../../support/inputs/provision-input.js';
import { resetRun } from '../../support/runs/reset-run.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { instanceIdOf, stateWithInstances } from '../../support/worlds/instances.js';

const STATE = stateWithInstances([{ of: 1 }]);
const OF = { batch: { workflowId: 'run-batch/default/night', runId: 'first' }, by: 'anna' };
const ITEM = {
  line: 1,
  id: 'night-1',
  input: { instanceId: instanceIdOf(1), action: 'stop' as const },
};
const REFUSED = {
  match: { method: 'POST', path: /\/action$/ },
  action: { kind: 'status', status: 400, body: { message: 'no' } },
} as const;

/** The runs of one batch, in the account of a scenario. */
function runsIn({ client, taskQueue, account }: Scenario, standing: Standing = Standing.current) {
  const calls = { client: () => client, taskQueue, standing: () => Promise.resolve(standing) };
  const batchRuns = createBatchRuns(calls);
  const runs = {
    ...batchRuns,
    async start(...asked: Parameters<typeof batchRuns.start>): Promise<SeenItem> {
      return (await batchRuns.start(...asked)) ?? { line: 0, state: ItemState.later };
    },
  };
  const terms: BatchTerms = { operation: 'setInstancePower', account, prefix: 'night' };
  const workflowId = `set-instance-power/${account}/night-1`;
  const item = { ...ITEM, input: { ...ITEM.input, account } };
  return { runs, terms, workflowId, item };
}

/** The same object, but for one member. */
function replacing<T extends object>(whole: T, name: keyof T, member: unknown): T {
  return new Proxy(whole, {
    get: (target, key): unknown => (key === name ? member : Reflect.get(target, key, target)),
  });
}

function asOpen(seen: SeenItem): OpenItem {
  const { runId, id } = seen;
  if (runId === undefined || id === undefined) {
    throw new Error(`nothing was started: ${seen.text ?? seen.state}`);
  }
  return { ...seen, id, runId };
}

describe('the lines that a batch has named', () => {
  it('are those too that a try which was terminated had begun, and no list shows yet', () =>
    inScenario({ visibilityLagMs: 5_000, manifests: {} }, async (scenario) => {
      const { client, taskQueue, account } = scenario;
      const gcore = createGcoreWorkflows({ client, taskQueue });
      const input = { ...provisionInput(), account };
      const terms: BatchTerms = { operation: 'provisionInstance', account, prefix: 'fleet' };
      const named = nameOf({ ...terms, operation: 'provisionInstance' }, input);
      const id = named.ok ? named.value : '';
      const manifest = { url: 'file:none.jsonl' };
      const batch = await gcore.start('runBatch', {
        requestId: 'fleet',
        input: { operation: 'provisionInstance', manifest, account },
      });
      await gcore.status(batch.workflowId);
      const workflowId = itemWorkflowId(terms, { id });
      await gcore.start('provisionInstance', { requestId: id, workflowId, input });
      await client.workflow.getHandle(batch.workflowId).terminate('by an operator');

      const { runs } = runsIn(scenario);
      // A minute ahead, by which the list would be old enough.
      const begun = await withClockSetBy(60_000, () => runs.named(terms, batch, new Set([id])));
      expect(begun).toEqual(new Map([[id, true]]));
    }));
});

describe('the runs of a batch', () => {
  it('are never started again by their batch, however they ended', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { runs, terms, workflowId, item } = runsIn(scenario);
      scenario.simulator.faults.add(REFUSED);
      const first = await runs.start(terms, item, OF);
      await scenario.client.workflow
        .getHandle(workflowId)
        .result()
        .catch(() => undefined);

      const again = await runs.start(terms, item, OF);

      expect(first).toMatchObject({ line: 1, state: ItemState.open });
      expect(again).toMatchObject({ state: ItemState.failed, class: 'InvalidRequest' });
      expect(again.runId).toBe(first.runId);
      expect(scenario.mutations()).toHaveLength(1);
    }));

  it('are started again by another batch when they have failed', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { runs, terms, workflowId, item } = runsIn(scenario);
      scenario.simulator.faults.add(REFUSED);
      await runs.start(terms, item, OF);
      await scenario.client.workflow
        .getHandle(workflowId)
        .result()
        .catch(() => undefined);

      await runs.start(terms, item, { ...OF, batch: { ...OF.batch, runId: 'second' } });
      await scenario.client.workflow.getHandle(workflowId).result();

      expect(scenario.mutations()).toHaveLength(2);
    }));

  it('count as they ended, also when somebody has started the request again since', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { runs, terms, workflowId, item } = runsIn(scenario);
      scenario.simulator.faults.add(REFUSED);
      const first = asOpen(await runs.start(terms, item, OF));
      await scenario.client.workflow
        .getHandle(workflowId)
        .result()
        .catch(() => undefined);
      await runs.start(terms, item, { ...OF, batch: { ...OF.batch, runId: 'second' } });
      await scenario.client.workflow.getHandle(workflowId).result();

      expect(await runs.look(terms, first)).toMatchObject({ state: ItemState.failed });
    }));

  it('are those that were started, also when somebody has ended them and begun others at once', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { terms, workflowId, item } = runsIn(scenario);
      const { client, taskQueue } = scenario;
      const handle = client.workflow.getHandle(workflowId);
      let started = '';
      type Start = typeof client.workflow.start;
      const startOther = async (...asked: Parameters<Start>): Promise<unknown> => {
        const run = await client.workflow.start(...asked);
        started = run.firstExecutionRunId;
        await handle.terminate();
        const other = { ...item.input, action: 'start' };
        await client.workflow.start('setInstancePower', { taskQueue, workflowId, args: [other] });
        return run;
      };
      const disturbed = replacing(client.workflow, 'start', startOther);
      const { runs } = runsIn({ ...scenario, client: replacing(client, 'workflow', disturbed) });

      const seen = await runs.start(terms, item, OF);

      expect(seen).toMatchObject({ state: ItemState.failed, class: 'TerminatedFailure' });
      expect(seen.runId).toBe(started);
    }));

  it('are asked only where they are the very runs that it follows', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { runs, terms, workflowId, item } = runsIn(scenario);
      const { client, simulator } = scenario;
      const handle = client.workflow.getHandle(workflowId);
      simulator.faults.add(REFUSED);
      const first = asOpen(await runs.start(terms, item, OF));
      await handle.result().catch(() => undefined);
      simulator.faults.add({
        match: { ...REFUSED.match, times: 1_000 },
        action: { kind: 'status', status: 503 },
      });
      const again = asOpen(
        await runs.start(terms, item, { ...OF, batch: { ...OF.batch, runId: 'second' } }),
      );
      await runs.ask(terms, first, { what: 'cancel', by: 'anna' });
      await runs.ask(terms, first, { what: 'resume', by: 'anna' });
      simulator.faults.clear();

      expect(again.runId).not.toBe(first.runId);
      await handle.result();
      expect((await handle.query(statusQuery)).asked?.map((each) => each.for)).toEqual(['start']);
    }));

  it('are joined where somebody else has started them', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { runs, terms, item } = runsIn(scenario);
      const batchOf = (workflowId: string, runId: string) => ({ workflowId, runId });
      const seen = [];
      for (const batch of [
        OF.batch,
        batchOf(OF.batch.workflowId, 'again'),
        batchOf('other', '1'),
      ]) {
        seen.push(await runs.start(terms, item, { ...OF, batch }));
      }

      expect(seen.map(({ isJoined = false }) => isJoined)).toEqual([false, false, true]);
    }));

  it('are not started where the batch does not want them any more, or nobody knows', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { runs, terms, item } = runsIn(scenario, Standing.cancelled);
      expect(await runs.start(terms, item, OF)).toMatchObject({ state: ItemState.later });
      const late = runsIn(scenario, Standing.unproven).runs;
      await expect(late.start(terms, item, OF)).rejects.toThrow('does not say that it waits');
      expect(await runs.find(terms, item, OF)).toBeUndefined();

      const begun = await runsIn(scenario).runs.start(terms, item, OF);
      // One that exists is known all the same.
      expect(await runs.start(terms, item, OF)).toMatchObject({ runId: begun.runId });
      expect(await runs.find(terms, item, OF)).toMatchObject({ runId: begun.runId });
      const other = { ...OF, batch: { ...OF.batch, runId: 'second' } };
      expect(await runs.find(terms, item, other)).toBeUndefined();
    }));

  it('are found after a repeat where they go on or were begun since', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { runs, terms, workflowId, item } = runsIn(scenario);
      const before = Date.now();
      const begun = await runs.start(terms, item, OF);
      const found = { runId: begun.runId, state: ItemState.open };
      expect(await runs.find(terms, item, { ...OF, since: Date.now() + 1 })).toMatchObject(found);
      await scenario.client.workflow.getHandle(workflowId).result();

      expect(await runs.find(terms, item, { ...OF, since: Date.now() })).toBeUndefined();
      expect(await runs.find(terms, item, { ...OF, since: before })).toMatchObject({
        ...{ runId: begun.runId, state: ItemState.succeeded },
      });
    }));

  it('are followed through a reset', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { runs, terms, workflowId, item } = runsIn(scenario);
      const { client } = scenario;
      const first = asOpen(await runs.start(terms, item, OF));
      await client.workflow.getHandle(workflowId).result();
      await resetRun(client, client.workflow.getHandle(workflowId), 'the first workflow task');
      await client.workflow.getHandle(workflowId).result();

      expect(await runs.look(terms, first)).toMatchObject({ state: ItemState.succeeded });
    }));

  it('name what they knew of when somebody has terminated them', () =>
    inScenario({ state: STATE, replays: false }, async (scenario) => {
      const { runs, terms: ofPower } = runsIn(scenario);
      const terms: BatchTerms = { ...ofPower, operation: 'provisionInstance' };
      const workflowId = `provision-instance/${scenario.account}/night-1`;
      holdTaskReads(scenario.simulator);
      const item = {
        line: 1,
        id: 'night-1',
        input: { ...provisionInput(), account: scenario.account },
      };
      const first = asOpen(await runs.start(terms, item, OF));
      const run = scenario.client.workflow.getHandle(workflowId);
      const idsOf = ({ steps }: StatusDocument) => steps.flatMap(({ taskIds }) => taskIds);
      await until('the API has named a task', async () => {
        return idsOf(await run.query(statusQuery)).length > 0;
      });
      const [taskId = ''] = idsOf(await run.query(statusQuery));
      await run.terminate('a person');

      const seen = await runs.look(terms, first);

      expect(seen).toMatchObject({ state: ItemState.failed, class: 'TerminatedFailure' });
      expect(seen.text).toContain('The run was terminated, so it has undone nothing');
      expect(seen.text).toContain(`Known of it: task ${taskId}`);
    }));

  it('are failed when the server does not know them any more', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { runs, terms } = runsIn(scenario);

      expect(
        await runs.look(terms, { line: 1, id: 'night-1', runId: 'gone', state: ItemState.open }),
      ).toMatchObject({
        state: ItemState.failed,
        class: 'RunNotFound',
      });
    }));

  it('are suspects once the list shows that they have ended', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const { runs, terms, workflowId, item } = runsIn(scenario);
      const first = asOpen(await runs.start(terms, item, OF));
      await scenario.client.workflow.getHandle(workflowId).result();

      let suspects: ReadonlySet<number> = new Set();
      for (let tries = 0; tries < 100 && suspects.size === 0; tries++) {
        suspects = await runs.suspects(terms, [first]);
      }
      expect([...suspects]).toEqual([1]);
    }));
});
