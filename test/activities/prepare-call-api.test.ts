import { describe, expect, it } from '@jest/globals';

import { createPrepareActivities, type PrepareDeps } from '../../src/activities/index.js';
import { DEFAULT_POLL_POLICY } from '../../src/contract/wire/tasks.js';
import { createActivityEnvironment, failureIn, inActivity } from '../support/http/in-activity.js';

const PATH = '/cloud/v1/networks/1/2';
const BLIND = { method: 'POST', path: PATH };
const LOOK = { path: PATH, pointer: '/count', equals: 1 };

function prepare(input: object, deps: Partial<PrepareDeps> = {}) {
  const activities = createPrepareActivities({
    namespaceId: () => Promise.resolve('namespace'),
    defaults: {},
    policy: { reconcileGraceMs: 1, poll: DEFAULT_POLL_POLICY, searchAttributes: false },
    callApi: [`GET ${PATH}`, `POST ${PATH}`],
    ...deps,
  });
  const workflowExecution = { workflowId: 'call-api/default/order-1', runId: 'this run' };
  const environment = createActivityEnvironment({ namespace: 'prod', workflowExecution });
  return [() => activities.prepareCallApi(input), environment] as const;
}

const ended = (earlier: { since?: number; digests: [] | 'unknown' }): Partial<PrepareDeps> => ({
  earlierRuns: () => Promise.resolve(earlier),
});

describe('what a run of callApi prepares', () => {
  it('holds nothing of the call', async () => {
    const { policy, ...rest } = await inActivity(...prepare({ ...BLIND, look: LOOK }));

    expect(rest).toEqual({ account: 'default', onBlocked: 'wait' });
    expect(Object.keys(policy.poll.typical)).toEqual(['list of the API']);
  });

  it.each([
    ['the call', { ...BLIND, method: 'DELETE' }, 'path', `DELETE ${PATH}`],
    ['the look', { ...BLIND, look: { ...LOOK, path: `${PATH}/x` } }, 'look.path', `GET ${PATH}/x`],
    [
      'what undoes it',
      { ...BLIND, undo: { method: 'PUT', path: PATH } },
      'undo.path',
      `PUT ${PATH}`,
    ],
  ])('is refused where the worker does not allow %s, with what to add', async (...row) => {
    const [, input, path, add] = row;
    const message = expect.stringContaining(`can add "${add}" to its GCORE_CALL_API`);

    expect(await failureIn(...prepare(input))).toMatchObject({
      type: 'InvalidInput',
      details: [{ faults: [{ path, message }] }],
    });
  });

  it('is refused everything by a worker without a list', async () => {
    expect(await failureIn(...prepare(BLIND, { callApi: [] }))).toMatchObject({
      type: 'InvalidInput',
    });
  });

  it('is refused without a look after another run of the request, which may have sent the call', async () => {
    const earlier = ended({ since: 1, digests: [] });

    expect(await failureIn(...prepare(BLIND, earlier))).toMatchObject({
      details: [{ faults: [{ path: 'look' }] }],
    });
    expect(await inActivity(...prepare({ ...BLIND, look: LOOK }, earlier))).toBeDefined();
    expect(await inActivity(...prepare(BLIND, ended({ digests: [] })))).toBeDefined();
  });

  it('waits for the server while nobody knows the earlier runs', async () => {
    const failure = await failureIn(...prepare(BLIND, ended({ digests: 'unknown' })));

    expect(failure).toMatchObject({ nonRetryable: false });
  });
});
