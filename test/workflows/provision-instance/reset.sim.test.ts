import { describe, expect, it } from '@jest/globals';
import { defaultPayloadConverter } from '@temporalio/common';
import { z } from 'zod';

import { createHeldLine } from '../held-line.js';
import { CREATE_PATH, provisionInput } from '../../support/inputs/provision-input.js';
import { resumeUpdate } from '../../../src/engine/core/messages.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { mostPerMarker } from '../../support/worlds/marked.js';
import { resetRun, type ResetPoint } from '../../support/runs/reset-run.js';
import { inScenario } from '../../simulation/scenario.js';
import { until } from '../../support/timing/until.js';
import { manyVideos, NOTHING_WRONG, wrongly } from '../../support/worlds/videos.js';
const createCall = { method: 'POST', path: CREATE_PATH };
const preparedSchema = z.object({ cutShortAt: z.number() });
const QUOTA = {
  kind: 'status',
  status: 403,
  body: { exception_class: 'QuotaLimitExceed' },
} as const;
const LAG = { kind: 'list-lag', ms: 1_500 } as const;
const POLICY = { reconcileGraceMs: 3_000 };

const POINTS: [string, ResetPoint][] = [
  ['its first task', 'the first workflow task'],
  ['the task that sends', { sending: 'createInstance' }],
];

describe('a run that is reset after it has sent its create call', () => {
  it.each(POINTS)('finds what the call has made, when it begins again at %s', async (_, point) => {
    const marked = mostPerMarker();
    const settings = { onChange: marked.see, policy: POLICY, timeoutMs: 4_000 };
    await inScenario(settings, async ({ start, client, simulator, mutations }) => {
      simulator.faults.add({ match: createCall, action: LAG });
      simulator.faults.add({ match: createCall, action: { kind: 'hang', afterProcessing: true } });
      const first = await start('provisionInstance', provisionInput());
      await until('its call has arrived', () => simulator.inventory().instances.length === 1);

      const { instanceId, adopted } = await (await resetRun(client, first, point)).result();

      expect(simulator.inventory().instances.map(({ id }) => id)).toEqual([instanceId]);
      expect([adopted, marked.most()]).toEqual([true, 1]);
      expect(mutations()).toEqual([`POST ${CREATE_PATH}`]);
    });
  });

  it.each(POINTS)('finds what the call of another input has made: %s', async (_, point) => {
    const marked = mostPerMarker();
    const settings = {
      onChange: marked.see,
      policy: POLICY,
      timeoutMs: 4_000,
      visibilityLagMs: 5_000,
    };
    await inScenario(settings, async ({ start, account, client, simulator, mutations }) => {
      simulator.faults.add({ match: createCall, action: QUOTA });
      const first = await start('provisionInstance', provisionInput());
      await untilBlocked(first, 'QuotaExceeded');
      simulator.faults.add({ match: createCall, action: LAG });
      simulator.faults.add({ match: createCall, action: { kind: 'hang', afterProcessing: true } });
      const input = { ...provisionInput({ flavor: 'g2-standard-4-8' }), account };
      await first.executeUpdate(resumeUpdate, { args: [{ input }] });
      await until('its call has arrived', () => simulator.inventory().instances.length === 1);

      const { instanceId } = await (await resetRun(client, first, point)).result();

      expect(simulator.inventory().instances.map(({ id }) => id)).toEqual([instanceId]);
      expect(marked.most()).toBe(1);
      expect(mutations()).toHaveLength(2);
    });
  });

  it.each([0, 3_600_000])('waits for late calls of the run before, and no longer: %d ms', (ms) =>
    inScenario({ policy: POLICY }, async ({ start, account, client, simulator, mutations }) => {
      simulator.faults.add({ match: { ...createCall, times: 1_000 }, action: QUOTA });
      const first = await start('provisionInstance', provisionInput());
      await untilBlocked(first, 'QuotaExceeded');
      const run = await resetRun(client, first, 'the first workflow task');
      const resetAt = Date.now();
      await untilBlocked(run, 'QuotaExceeded');
      await new Promise((resolve) => setTimeout(resolve, ms));
      const input = { ...provisionInput({ flavor: 'g2-standard-4-8' }), account };
      simulator.faults.clear();
      const sent = mutations().length;
      const correctedAt = Date.now();
      await run.executeUpdate(resumeUpdate, { args: [{ input }] });

      await until('it sends its create', () => mutations().length > sent);

      const late = resetAt + 20_000 + POLICY.reconcileGraceMs;
      expect(Date.now()).toBeGreaterThan(late);
      expect(Date.now()).toBeLessThan(Math.max(late, correctedAt) + 5_000);
      await run.result();
    }),
  );

  it('takes the reset for the end of the run before', () =>
    inScenario({ policy: POLICY }, async ({ start, client }) => {
      const first = await start('provisionInstance', provisionInput());
      await first.result();

      const second = await resetRun(client, first, 'the first workflow task');
      await second.result();

      const { events = [] } = await second.fetchHistory();
      const reset = events?.find(({ workflowTaskFailedEventAttributes: failed }) => failed);
      const [prepared] = (events ?? []).flatMap(({ markerRecordedEventAttributes: marker }) =>
        (marker?.details?.['result']?.payloads ?? []).map((payload) =>
          preparedSchema.parse(defaultPayloadConverter.fromPayload(payload)),
        ),
      );
      const resetAt = Number(reset?.eventTime?.seconds) * 1_000;
      expect(prepared?.cutShortAt).toBeGreaterThanOrEqual(resetAt);
      expect(prepared?.cutShortAt).toBeLessThan(resetAt + 10_000);
    }));

  it('waits for its call that is still on its way', async () => {
    const marked = mostPerMarker();
    const line = createHeldLine('POST');
    const settings = { line: line.fetch, onChange: marked.see, timeoutMs: 10_000 };
    await inScenario(settings, async ({ start, client, simulator }) => {
      const first = await start('provisionInstance', provisionInput());
      await until('its call has left', line.isHeld);
      const before = line.looks();
      const second = await resetRun(client, first, { sending: 'createInstance' });
      await until('it has looked', () => line.looks() > before);
      line.letGo();

      const { instanceId } = await second.result();

      expect(simulator.inventory().instances.map(({ id }) => id)).toEqual([instanceId]);
      expect(marked.most()).toBe(1);
    });
  });

  it('waits for the call also when it is reset again meanwhile', async () => {
    const marked = mostPerMarker();
    const line = createHeldLine('POST');
    const settings = { line: line.fetch, onChange: marked.see, timeoutMs: 10_000 };
    await inScenario(settings, async ({ start, client, simulator }) => {
      const first = await start('provisionInstance', provisionInput());
      await until('its call has left', line.isHeld);
      const second = await resetRun(client, first, { sending: 'createInstance' });
      // The task after the refused call has made the run look again.
      await until('it has noticed the reset', async () => (await tasksOf(second)) > 2);
      const third = await resetRun(client, second, 'the last workflow task');
      const before = line.looks();
      await until('it has looked', () => line.looks() > before);
      line.letGo();

      const { instanceId } = await third.result();

      expect(simulator.inventory().instances.map(({ id }) => id)).toEqual([instanceId]);
      expect(marked.most()).toBe(1);
    });
  });

  it('does not send the call again that was open at the point of the reset', async () => {
    const marked = mostPerMarker();
    const settings = { onChange: marked.see, policy: POLICY, timeoutMs: 10_000 };
    await inScenario(settings, async ({ start, client, simulator, mutations }) => {
      simulator.faults.add({ match: createCall, action: LAG });
      simulator.faults.add({ match: createCall, action: { kind: 'hang', afterProcessing: true } });
      const first = await start('provisionInstance', provisionInput());
      await until('its call has arrived', () => simulator.inventory().instances.length === 1);
      // Makes a workflow task while the call is open. The server starts an open call anew after a reset.
      await first.signal('turnAsked', { resource: 'nothing' });
      await until('it has taken the signal', async () => (await tasksOf(first)) > 2);

      await (await resetRun(client, first, 'the last workflow task')).result();

      expect(marked.most()).toBe(1);
      expect(mutations()).toEqual([`POST ${CREATE_PATH}`]);
    });
  });

  it('creates no duplicate video of an import', async () => {
    const line = createHeldLine('POST');
    const videos = manyVideos(3);
    const settings = { line: line.fetch, timeoutMs: 10_000 };
    await inScenario(settings, async ({ start, client, simulator }) => {
      const first = await start('importVideos', { videos });
      await until('its batch has left', line.isHeld);
      const before = line.looks();
      const second = await resetRun(client, first, { sending: 'createVideoBatch' });
      await until('it has looked', () => line.looks() > before);
      line.letGo();

      const { counts } = await second.result();

      expect(counts).toMatchObject({ succeeded: 3, failed: 0 });
      expect(wrongly(simulator, videos)).toEqual(NOTHING_WRONG);
    });
  });

  it('finds in another region what the call has made there', async () => {
    const marked = mostPerMarker();
    const settings = { onChange: marked.see, policy: POLICY, timeoutMs: 4_000 };
    await inScenario(settings, async ({ start, client, simulator }) => {
      const body = { exception_class: 'ForbiddenError', message: 'Not enough capacity' };
      simulator.faults.add({ match: createCall, action: { kind: 'status', status: 403, body } });
      const elsewhere = { method: 'POST', path: '/cloud/v2/instances/1/2' };
      simulator.faults.add({ match: elsewhere, action: LAG });
      simulator.faults.add({ match: elsewhere, action: { kind: 'hang', afterProcessing: true } });
      const input = provisionInput({}, { alternatives: [{ regionId: 2 }] });
      const first = await start('provisionInstance', input);
      await until('its call has arrived', () => simulator.inventory().instances.length === 1);

      const second = await resetRun(client, first, { sending: 'createInstance' });
      const { regionId } = await second.result();

      expect([regionId, marked.most()]).toEqual([2, 1]);
    });
  });
});

async function tasksOf(run: { fetchHistory: () => Promise<{ events?: unknown[] | null }> }) {
  const { events } = await run.fetchHistory();
  return JSON.stringify(events).split('"workflowTaskCompletedEventAttributes":{').length - 1;
}
