import { describe, expect, it } from '@jest/globals';

import { gcoreOf } from '../support/gateway/gateway-world.js';
import { runCaptured } from '../support/cli/run-captured.js';
import { CREATE_PATH } from '../support/inputs/provision-input.js';
import { failureOfRun } from '../support/runs/run-failure.js';
import { temporalAddress } from '../support/runs/scenario.js';
import { until } from '../support/timing/until.js';
import { QUOTA, whileTold, type Told } from '../support/webhooks/while-told.js';

/** A run that has told of its success, once its delivery knows what became of that. */
async function toldRun(told: Told, status: 204 | 410): Promise<string> {
  const { receiver, start, input } = told;
  receiver.answerWith(status);
  const run = await start('provisionInstance', input);
  const { workflowId } = run;
  await run.result();
  await until('the event is delivered, or given up', async () => {
    const { webhooks } = await gcoreOf(told).status(workflowId);
    return status === 204 ? receiver.taken.length === 1 : webhooks?.undelivered !== undefined;
  });
  return workflowId;
}

describe('sending webhooks again', () => {
  it('sends what was given up, under the id that it had', () =>
    whileTold(async (told) => {
      const { receiver } = told;
      const workflowId = await toldRun(told, 410);
      receiver.answerWith(204);
      const server = ['--address', temporalAddress(), '--namespace', 'default'];

      const { exitCode, stdout } = await runCaptured(['webhook', 'resend', workflowId, ...server]);
      await until('it came', () => receiver.taken.length === 1);

      const [first] = receiver.tries;
      expect(exitCode).toBe(0);
      expect(JSON.parse(stdout)).toEqual({
        id: first?.id,
        type: 'run.succeeded',
        sequence: 1,
        hosts: [new URL(receiver.url).host],
      });
      expect(receiver.taken).toMatchObject([{ id: first?.id, body: first?.body }]);
    }));

  it('sends a named event again, also one that was taken', () =>
    whileTold(async (told) => {
      const { receiver } = told;
      const workflowId = await toldRun(told, 204);
      const gcore = gcoreOf(told);
      const [{ id } = { id: '' }] = receiver.taken;

      const givenUp = await gcore.resendWebhooks(workflowId);
      const named = await gcore.resendWebhooks(workflowId, [id]);
      await until('it came again', () => receiver.taken.length === 2);

      expect(givenUp).toEqual([]);
      expect(named).toMatchObject([{ id, sequence: 1 }]);
      expect(receiver.taken[1]).toEqual({ ...receiver.taken[0], signatures: expect.anything() });
    }));

  it('sends a named event again that an earlier run of the request has told', () =>
    whileTold(async (told) => {
      const { receiver, start, input, simulator } = told;
      receiver.answerWith(204);
      const match = { method: 'POST', path: CREATE_PATH };
      simulator.faults.add({ match, action: { kind: 'status', status: 400, body: {} } });
      const failed = await start('provisionInstance', input);
      await failureOfRun(failed);
      await until('its failure is told', () => receiver.taken.length === 1);
      const again = await start('provisionInstance', input, failed.workflowId);
      await again.result();
      await until('its success is told', () => receiver.taken.length === 2);
      const [first] = receiver.taken;

      const resent = await gcoreOf(told).resendWebhooks(failed.workflowId, [first?.id ?? '']);
      await until('it came again', () => receiver.taken.length === 3);

      expect(resent).toMatchObject([{ id: first?.id, type: 'run.failed' }]);
      expect(receiver.taken[2]).toMatchObject({ id: first?.id, body: first?.body });
    }));

  it('forgets none of the others that were given up', () =>
    whileTold(async (told) => {
      const { receiver, start, input, simulator } = told;
      const gcore = gcoreOf(told);
      receiver.answerWith(503);
      simulator.faults.add(QUOTA);
      const run = await start('provisionInstance', input);
      const { workflowId } = run;
      const webhooks = async () => (await gcore.status(workflowId)).webhooks;
      await until(
        'it is blocked',
        async () => (await gcore.status(workflowId)).phase === 'blocked',
      );
      await gcore.resume(workflowId);
      await run.result();
      receiver.answerWith(410);
      await until('all are given up', async () => (await webhooks())?.undelivered?.length === 3);
      const [first, ...others] = (await webhooks())?.undelivered ?? [];
      receiver.answerWith(204);

      await gcore.resendWebhooks(workflowId, [first?.id ?? '']);
      await until('it came', () => receiver.taken.length === 1);

      expect((await webhooks())?.undelivered?.map(({ id }) => id)).toEqual(
        others.map(({ id }) => id),
      );
      await gcore.resendWebhooks(workflowId);
      await until('the others came', () => receiver.taken.length === 3);
      expect((await webhooks())?.undelivered).toBeUndefined();
    }));

  it('names nothing that came at last, although the run has ended without that word', () =>
    whileTold(async (told) => {
      const { receiver, start, input, simulator } = told;
      const gcore = gcoreOf(told);
      simulator.faults.add(QUOTA);
      receiver.answerWith(410);
      const run = await start('provisionInstance', input);
      const { workflowId } = run;
      const undelivered = async () => (await gcore.status(workflowId)).webhooks?.undelivered;
      await until('the block is given up', async () => (await undelivered())?.length === 1);
      await gcore.resume(workflowId);
      await run.result();
      receiver.answerWith(204);

      await gcore.resendWebhooks(workflowId);
      await until('all came', () => receiver.taken.length === 3);

      await until('none is named', async () => (await undelivered()) === undefined);
    }));

  it('names nothing that came at last while its run is open, and sends it no more', () =>
    whileTold(async (told) => {
      const { receiver, start, input, simulator } = told;
      const gcore = gcoreOf(told);
      simulator.faults.add(QUOTA);
      receiver.answerWith(410);
      const run = await start('provisionInstance', input);
      const { workflowId } = run;
      const webhooks = async () => (await gcore.status(workflowId)).webhooks;
      await until(
        'the block is given up',
        async () => (await webhooks())?.undelivered?.length === 1,
      );
      receiver.answerWith(204);

      await gcore.resendWebhooks(workflowId);
      await until('it came', () => receiver.taken.length === 1);

      await until('none is named', async () => {
        const known = await webhooks();
        return known?.undelivered === undefined && known?.pending === undefined;
      });
      expect((await gcore.status(workflowId)).phase).toBe('blocked');
      expect(await gcore.resendWebhooks(workflowId)).toEqual([]);
      await gcore.resume(workflowId);
      await run.result();
    }));

  it('refuses an event that the run did not tell', () =>
    whileTold(async (told) => {
      const workflowId = await toldRun(told, 204);

      await expect(gcoreOf(told).resendWebhooks(workflowId, ['msg_7'])).rejects.toMatchObject({
        name: 'InvalidInputError',
        faults: [{ path: 'msg_7' }],
      });
    }));
});
