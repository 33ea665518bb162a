import { CancelledFailure } from '@temporalio/common';
import { describe, expect, it } from '@jest/globals';

import { taskIdsSchema } from '../../../src/contract/api/cloud.js';
import {
  createActivityEnvironment,
  failureIn,
  inActivity,
  thrownBy,
} from '../../support/http/in-activity.js';
import { createScriptedApi, json, untilAborted } from '../../support/http/scripted-api.js';
import { createSimulatedAccount } from '../../support/worlds/simulated-account.js';

const READ = { method: 'GET', path: '/x', response: taskIdsSchema, repeatable: true } as const;
const MUTATION = { ...READ, method: 'POST', repeatable: false } as const;
const INSTANCE = {
  flavor: 'g2-standard-2-4',
  interfaces: [{ type: 'external' as const }],
  volumes: [{ source: 'new-volume' as const, size: 1 }],
};
const PLACE = { projectId: 1, regionId: 1 };

describe('a request that is never answered', () => {
  it('leaves a read retryable', async () => {
    const { api } = createScriptedApi(untilAborted, { timeoutMs: 20 });

    const failure = await failureIn(() => api.request(READ));

    expect(failure).toMatchObject({ type: 'ServiceUnavailable', nonRetryable: false });
    expect(failure.message).toContain('got no answer (no answer in time)');
  });

  it('leaves the outcome of a mutation unknown', async () => {
    const { api, requests } = createScriptedApi(untilAborted, { timeoutMs: 20 });

    const failure = await failureIn(() => api.request(MUTATION));

    expect(failure).toMatchObject({ type: 'OutcomeUnknown', nonRetryable: true });
    expect(failure.message).toContain('was sent, but its answer was lost (no answer in time)');
    expect(requests).toHaveLength(1);
  });

  it('aborts the request, so that no connection stays open', async () => {
    const aborted: boolean[] = [];
    const { api } = createScriptedApi(
      (request) => untilAborted(request).finally(() => aborted.push(request.signal.aborted)),
      { timeoutMs: 20 },
    );

    await failureIn(() => api.request(READ));

    expect(aborted).toEqual([true]);
  });
});

describe('a body that ends in the middle', () => {
  it.each([
    [READ, 'ServiceUnavailable'],
    [MUTATION, 'OutcomeUnknown'],
  ])('is a lost answer', async (request, type) => {
    const { api } = createScriptedApi(() => new Response(brokenBody(), { status: 200 }));

    const failure = await failureIn(() => api.request(request));

    expect(failure.type).toBe(type);
  });
});

function brokenBody(): ReadableStream {
  const cause = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
  return new ReadableStream({
    pull(controller) {
      controller.error(new TypeError('terminated', { cause }));
    },
  });
}

describe('a cancelled activity', () => {
  it.each([
    ['a read', READ, 'CANCELLED'],
    ['a mutation whose worker stops', MUTATION, 'WORKER_SHUTDOWN'],
  ] as const)('ends %s as cancelled, never as a failure', async (_title, request, reason) => {
    const environment = createActivityEnvironment();
    const { api } = createScriptedApi((sent) => {
      // The request is in flight when the cancellation arrives.
      queueMicrotask(() => {
        environment.cancel(reason);
      });
      return untilAborted(sent);
    });

    const error = await thrownBy(() => inActivity(() => api.request(request), environment));

    expect(error).toBeInstanceOf(CancelledFailure);
  });

  it('returns the answer of a mutation that was sent before its run asked for the end', async () => {
    const environment = createActivityEnvironment();
    const { api, requests } = createScriptedApi(() => {
      environment.cancel('CANCELLED');
      return json({ tasks: ['t-1'] });
    });

    const answer = await inActivity(() => api.request(MUTATION), environment);

    expect(answer).toEqual({ tasks: ['t-1'] });
    expect(requests).toHaveLength(1);
  });

  it('does not send a mutation whose run has asked for the end, and says so', async () => {
    const environment = createActivityEnvironment();
    const { simulator, activities } = createSimulatedAccount();
    environment.cancel('CANCELLED');

    const failure = await failureIn(
      () =>
        activities.createInstance({
          ...PLACE,
          marker: 'default/order-1',
          maker: 'maker-1',
          instance: INSTANCE,
        }),
      environment,
    );

    expect(failure.type).toBe('ServiceUnavailable');
    expect(failure.message).toContain('was not sent: its run has taken it back');
    expect(simulator.requests).toEqual([]);
  });

  it('ends as cancelled while the simulated API hangs', async () => {
    const environment = createActivityEnvironment();
    const { simulator, activities } = createSimulatedAccount();
    simulator.faults.add({ match: { method: 'GET' }, action: { kind: 'hang' } });
    const running = thrownBy(() =>
      inActivity(() => activities.getInstance({ ...PLACE, instanceId: 'i-1' }), environment),
    );

    environment.cancel();
    const error = await running;

    expect(error).toBeInstanceOf(CancelledFailure);
  });

  it('sends nothing after the cancellation', async () => {
    const environment = createActivityEnvironment();
    const { simulator, activities } = createSimulatedAccount();
    environment.cancel();

    const failure = await failureIn(
      () => activities.deleteVolume({ ...PLACE, volumeId: 'v-1' }),
      environment,
    );

    expect(failure.message).toContain('was not sent: its run has taken it back');
    expect(simulator.requests).toEqual([]);
  });
});

describe('a response lost by the simulated API', () => {
  it('leaves the outcome unknown, although the instance exists', async () => {
    const { simulator, activities } = createSimulatedAccount();
    simulator.faults.add({ match: { method: 'POST' }, action: { kind: 'drop-response' } });

    const failure = await failureIn(() =>
      activities.createInstance({
        ...PLACE,
        marker: 'default/order-1',
        maker: 'maker-1',
        instance: INSTANCE,
      }),
    );

    expect(failure.type).toBe('OutcomeUnknown');
    expect(simulator.inventory().instances).toHaveLength(1);
    expect(simulator.requests).toHaveLength(1);
  });
});
