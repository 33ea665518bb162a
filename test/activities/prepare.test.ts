import { describe, expect, it } from '@jest/globals';

import { createPrepareActivities, type PrepareDeps } from '../../src/activities/index.js';
import { DEFAULT_POLL_POLICY } from '../../src/contract/wire/tasks.js';
import type { RunPolicy } from '../../src/engine/core/run-policy.js';
import {
  createActivityEnvironment,
  failureIn,
  inActivity,
  thrownBy,
} from '../support/http/in-activity.js';
import { createBody } from '../support/inputs/instance-bodies.js';

const POLICY: RunPolicy = {
  reconcileGraceMs: 1,
  poll: { ...DEFAULT_POLL_POLICY, typical: {} },
  searchAttributes: false,
};
const WORKFLOW_ID = 'provision-instance/default/order-1';

function inRun(workflowId = WORKFLOW_ID, namespace = 'prod') {
  const workflowExecution = { workflowId, runId: '00000000-0000-0000-0000-000000000000' };
  return createActivityEnvironment({ namespace, workflowExecution });
}

function createPrepare(
  defaults: PrepareDeps['defaults'] = {},
  secrets: Pick<PrepareDeps, 'secretsPolicy' | 'arrivedInClear'> = {},
) {
  const activities = createPrepareActivities({
    namespaceId: () => Promise.resolve('namespace'),
    defaults,
    policy: POLICY,
    ...secrets,
  });
  return (input: unknown) => async () => activities.prepareProvisionInstance(input);
}

describe('prepareListSshKeys', () => {
  const activities = createPrepareActivities({
    namespaceId: () => Promise.resolve('namespace'),
    defaults: {},
    policy: POLICY,
  });
  const prepare = (input: unknown) => async () => activities.prepareListSshKeys(input);

  it('adds the defaults and the policy, but no marker', async () => {
    const prepared = await inActivity(prepare({}), inRun());

    expect(prepared).toEqual({
      account: 'default',
      onBlocked: 'wait',
      policy: POLICY,
    });
  });

  it('keeps the values of the input', async () => {
    const input = { account: 'b', onBlocked: 'fail', name: 'ingest', deadline: '1 minute' };

    const prepared = await inActivity(prepare(input), inRun());

    const { deadline, ...kept } = input;
    expect(deadline).toBe('1 minute');
    expect(prepared).toEqual({
      ...kept,
      deadlineMs: 60_000,
      policy: POLICY,
    });
  });

  it('fails as InvalidInput with every fault', async () => {
    const input = { name: '', projectId: 1 };

    const failure = await failureIn(prepare(input), inRun());

    expect(failure).toMatchObject({ type: 'InvalidInput', nonRetryable: true });
    expect(failure.message).toMatch(/name: must not be empty[^]*projectId: is not a known field/);
  });
});

describe('prepareProvisionInstance', () => {
  it('adds the defaults, the marker and the policy of the worker', async () => {
    const prepare = createPrepare({ projectId: 7, regionId: 76 });

    const prepared = await inActivity(prepare({ instance: createBody() }), inRun());

    expect(prepared).toEqual({
      maker: expect.stringMatching(/^namespace\//),
      account: 'default',
      projectId: 7,
      regionId: 76,
      onBlocked: 'wait',
      onFailure: 'rollback',
      waitFor: 'active',
      marker: `prod/${WORKFLOW_ID}`,
      policy: POLICY,
    });
  });

  it('keeps the values of the input', async () => {
    const prepare = createPrepare({ projectId: 7, regionId: 76 });
    const given = { account: 'b', projectId: 1, regionId: 2, onFailure: 'keep', waitFor: 'task' };

    const prepared = await inActivity(prepare({ ...given, instance: createBody() }), inRun());

    expect(prepared).toMatchObject(given);
  });

  it('returns nothing of the body, because histories record the result', async () => {
    const prepare = createPrepare({ projectId: 7, regionId: 76 }, { secretsPolicy: 'allow' });
    const instance = createBody({
      username: 'admin-name',
      password: 'canary-password',
      user_data: 'Y2FuYXJ5LWRhdGE=',
    });

    const prepared = await inActivity(prepare({ instance }), inRun());

    const text = JSON.stringify(prepared);
    expect(text).not.toMatch(/canary-password|Y2FuYXJ5LWRhdGE|admin-name|g2-standard/);
  });

  it('fails as InvalidInput with every fault', async () => {
    const prepare = createPrepare({ projectId: 7, regionId: 76 });
    const input = { projectId: 0, colour: 'red', instance: { flavor: 'g2', name: '-' } };

    const failure = await failureIn(prepare(input), inRun());

    const paths = ['projectId', 'instance.interfaces', 'instance.volumes', 'instance.name'];
    expect(failure).toMatchObject({ type: 'InvalidInput', nonRetryable: true });
    expect(failure.message).toMatch(/^The input has 5 faults:\n/);
    expect(failure.message).toContain('  colour: is not a known field');
    expect(failure.details).toEqual([
      {
        advice: 'Correct the named fields and start again.',
        faults: [...paths, 'colour'].map((path) => ({ path, message: expect.any(String) })),
      },
    ]);
  });

  it('never repeats the password of a faulty input', async () => {
    const prepare = createPrepare();
    const instance = createBody({ passwort: 'canary-password', password: ['canary-password'] });

    const failure = await failureIn(prepare({ instance }), inRun());

    expect(JSON.stringify(failure) + failure.message).not.toContain('canary-password');
  });

  it.each<[string, PrepareDeps['defaults'], Record<string, unknown>, Record<string, string>]>([
    ['both', {}, {}, { projectId: 'PROJECT', regionId: 'REGION' }],
    ['the project', { regionId: 1 }, {}, { projectId: 'PROJECT' }],
    ['the region', {}, { projectId: 1 }, { regionId: 'REGION' }],
  ])('names the variable for %s', async (_title, defaults, ...[input, missing]) => {
    const prepare = createPrepare(defaults);

    const failure = await failureIn(prepare({ ...input, instance: createBody() }), inRun());

    const faults = Object.entries(missing).map(([path, word]) => ({
      path,
      message: `is missing, and the worker has no default: give it, or set GCORE_CLOUD_${word}_ID`,
    }));
    expect(failure).toMatchObject({ type: 'InvalidInput', details: [{ faults }] });
  });

  it('reports a missing project together with the faults of the body', async () => {
    const prepare = createPrepare({ regionId: 1 });

    const failure = await failureIn(prepare({ instance: createBody({ volumes: [] }) }), inRun());

    expect(failure).toMatchObject({
      details: [{ faults: [{ path: 'instance.volumes' }, { path: 'projectId' }] }],
    });
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['nothing', undefined],
    ['a text', 'x'],
    ['a list', []],
    ['a number', 0],
  ])('fails as InvalidInput when given %s', async (_title, input) => {
    const prepare = createPrepare();

    const failure = await failureIn(prepare(input), inRun());

    expect(failure.type).toBe('InvalidInput');
  });

  it('fails outside a workflow, because the marker needs the id of the run', async () => {
    const prepare = createPrepare({ projectId: 1, regionId: 1 });
    const standalone = createActivityEnvironment();
    Object.assign(standalone.context.info, { workflowExecution: undefined });

    const error = await thrownBy(() => inActivity(prepare({ instance: createBody() }), standalone));

    expect(error).toBeInstanceOf(TypeError);
  });
});
