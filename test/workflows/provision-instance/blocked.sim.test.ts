import { describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

import { abortUpdate, resumeUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import { SearchAttribute } from '../../../src/contract/wire/names.js';
import type { StatusDocument } from '../../../src/engine/schema/status-document.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { CREATE_PATH, provisionInput } from '../../support/inputs/provision-input.js';
import { failureOfRun } from '../../support/runs/run-failure.js';
import { inScenario } from '../../simulation/scenario.js';
import { createGate } from '../../support/timing/gate.js';
import { until } from '../../support/timing/until.js';
import { holdTaskReads } from '../../support/worlds/hold-task-reads.js';
const createCall = { method: 'POST', path: CREATE_PATH };

const QUOTA = {
  kind: 'status',
  status: 403,
  body: { exception_class: 'QuotaLimitExceed', message: 'Quota limit exceeded: cpu_count_limit' },
} as const;
const KEY_REFUSED = { kind: 'status', status: 401, body: { message: 'Bad token' } } as const;

/** The phase in the search attributes of the run. */
async function searchedPhase(run: WorkflowHandle): Promise<string | undefined> {
  const { typedSearchAttributes } = await run.describe();
  return typedSearchAttributes.get(
    defineSearchAttributeKey(SearchAttribute.phase, SearchAttributeType.KEYWORD),
  );
}

describe('a run with a problem that needs a person', () => {
  it('blocks with its reason and advice, and continues on resume', () =>
    inScenario({ record: 'blocked' }, async ({ start, simulator }) => {
      simulator.faults.add({ match: createCall, action: QUOTA });
      const run = await start('provisionInstance', provisionInput());
      await untilBlocked(run, 'QuotaExceeded');

      const status = await run.query(statusQuery);
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      const { ledger } = await run.result();

      expect(status.steps[0]?.note).toBe('refused by the API');
      expect(ledger[0]?.note).toBeUndefined();
      expect((await run.query(statusQuery)).steps[0]?.note).toBeUndefined();
      expect(status.phase).toBe('blocked');
      expect(status.blocked?.message).toContain('cpu_count_limit');
      expect(status.blocked?.advice).toBe(
        'Ask for a higher quota or delete what is not needed. Then resume the run, or let it try again by itself.',
      );
      expect(Date.parse(status.blocked?.nextCheckAt ?? '')).toBeGreaterThan(Date.now());
      expect(await searchedPhase(run)).toBe('succeeded');
      expect(simulator.inventory().instances).toHaveLength(1);
    }));

  it('tries again at once also when it is resumed while its last try is still refused', () => {
    const gate = createGate();
    let creates = 0;
    const line: typeof globalThis.fetch = async (url, init) => {
      const request = new Request(url, init);
      const isSecond = request.method === 'POST' && ++creates === 2;
      const answer = await globalThis.fetch(request);
      if (isSecond) await gate.opened;
      return answer;
    };
    return inScenario({ line, policy: { probeMs: 3_600_000 } }, async ({ start, simulator }) => {
      simulator.faults.add({ match: { ...createCall, times: 2 }, action: QUOTA });
      const run = await start('provisionInstance', provisionInput());
      await untilBlocked(run, 'QuotaExceeded');
      const resumedAt = Date.now();
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      await until('the API has refused it again', () => creates === 2);

      await run.executeUpdate(resumeUpdate, { args: [{}] });
      gate.open();
      await run.result();

      expect(Date.now() - resumedAt).toBeLessThan(600_000);
      expect(simulator.inventory().instances).toHaveLength(1);
    });
  });

  it('is no longer blocked once the API has taken its call', () =>
    inScenario({ policy: { probeMs: 50 } }, async ({ start, simulator }) => {
      simulator.faults.add({ match: createCall, action: QUOTA });
      const release = holdTaskReads(simulator);
      const run = await start('provisionInstance', provisionInput());
      const accepted = ({ steps }: StatusDocument) => (steps[0]?.taskIds.length ?? 0) > 0;
      await until('the create was taken', async () => accepted(await run.query(statusQuery)));

      const status = await run.query(statusQuery);
      release();
      await run.result();

      expect(status.blocked).toBeUndefined();
      expect(status.phase).toBe('waiting');
      expect(await searchedPhase(run)).toBe('succeeded');
    }));

  it('can be found by its phase', () =>
    inScenario({}, async ({ start, simulator }) => {
      simulator.faults.add({ match: createCall, action: QUOTA });
      const run = await start('provisionInstance', provisionInput());
      await untilBlocked(run, 'QuotaExceeded');

      const phase = await searchedPhase(run);
      await run.executeUpdate(abortUpdate, { args: [{}] });

      expect(phase).toBe('blocked');
      expect((await failureOfRun(run)).type).toBe('Aborted');
    }));

  it('continues by itself when a probe shows that the cause is gone', () =>
    inScenario({ policy: { probeMs: 50 } }, async ({ start, simulator, mutations }) => {
      simulator.faults.add({ match: { ...createCall, times: 3 }, action: QUOTA });

      const run = await start('provisionInstance', provisionInput());
      const { status } = await run.result();

      expect(status).toBe('ACTIVE');
      expect(simulator.inventory().instances).toHaveLength(1);
      expect(mutations()).toHaveLength(4);
    }));

  it('fails immediately with onBlocked "fail"', () =>
    inScenario({}, async ({ start, simulator }) => {
      simulator.faults.add({ match: createCall, action: QUOTA });

      const run = await start('provisionInstance', provisionInput({}, { onBlocked: 'fail' }));

      expect(await failureOfRun(run)).toMatchObject({
        type: 'QuotaExceeded',
        details: { resources: [], step: 'create instance' },
      });
    }));

  it('blocks when its key is revoked during a wait, and loses nothing', () =>
    inScenario({ policy: { probeMs: 50 } }, async ({ start, simulator, mutations }) => {
      const run = await start('provisionInstance', provisionInput());
      await until('the create was sent', () => mutations().length === 1);
      simulator.faults.add({ match: { path: /./, times: Infinity }, action: KEY_REFUSED });
      await untilBlocked(run, 'Unauthorized');

      simulator.faults.clear();
      const { instanceId } = await run.result();

      expect(simulator.inventory().instances.map(({ id }) => id)).toEqual([instanceId]);
      expect(mutations()).toHaveLength(1);
    }));

  it('says that it could not undo a step when an operator aborts it with a revoked key', () =>
    inScenario({ policy: { probeMs: 50 } }, async ({ start, simulator, mutations }) => {
      const run = await start('provisionInstance', provisionInput());
      await until('the create was sent', () => mutations().length === 1);
      simulator.faults.add({ match: { path: /./, times: Infinity }, action: KEY_REFUSED });
      await untilBlocked(run, 'Unauthorized');

      await run.executeUpdate(abortUpdate, { args: [{ reason: 'enough' }] });
      const failed = await failureOfRun(run);

      expect(failed).toMatchObject({ type: 'Aborted', message: expect.stringContaining('enough') });
      const { steps } = await run.query(statusQuery);
      expect(steps[0]).toMatchObject({ state: 'outcome-unknown' });
      expect(steps[0]?.note).toContain('could not be undone');
    }));

  it('fails at its deadline, and leaves nothing behind', () =>
    inScenario({ record: 'deadline' }, async ({ start, simulator }) => {
      simulator.faults.add({ match: { ...createCall, times: Infinity }, action: QUOTA });

      const run = await start('provisionInstance', provisionInput({}, { deadline: '1 second' }));
      const failed = await failureOfRun(run);

      expect(failed.type).toBe('DeadlineExceeded');
      expect(failed.details.advice).toContain('later deadline');
      expect(simulator.inventory()).toMatchObject({ instances: [], volumes: [] });
    }));

  it('takes the later deadline of a corrected input', () =>
    inScenario({}, async ({ start, simulator, account }) => {
      simulator.faults.add({ match: createCall, action: QUOTA });
      const run = await start('provisionInstance', provisionInput({}, { deadline: '5 seconds' }));
      await untilBlocked(run, 'QuotaExceeded');

      const input = { ...provisionInput({}, { deadline: '1 hour' }), account };
      const { blocked } = await run.query(statusQuery);
      await run.executeUpdate(resumeUpdate, { args: [{ input }] });
      await run.result();

      const { events } = await run.fetchHistory();
      const timers = (events ?? []).flatMap(({ timerStartedEventAttributes }) =>
        timerStartedEventAttributes ? [timerStartedEventAttributes] : [],
      );
      const longest = Math.max(
        ...timers.map(({ startToFireTimeout }) => Number(startToFireTimeout?.seconds ?? 0)),
      );
      expect(Date.parse(blocked?.deadline ?? '') - Date.now()).toBeLessThan(5_000);
      expect(longest).toBeGreaterThan(3_500);
    }));
});
