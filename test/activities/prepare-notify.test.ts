import { describe, expect, it } from '@jest/globals';

import { createPrepareActivities } from '../../src/activities/index.js';
import type { PrepareDeps } from '../../src/activities/prepare.js';
import { toReference } from '../../src/engine/activities/webhooks/receiver-reference.js';
import { DEFAULT_POLL_POLICY } from '../../src/contract/wire/tasks.js';
import { WEBHOOK_EVENT_TYPES } from '../../src/engine/core/status.js';
import { createActivityEnvironment, failureIn, inActivity } from '../support/http/in-activity.js';
import { withReceiver, type Receiver } from '../support/webhooks/receiver.js';

function prepareWith(webhooks?: PrepareDeps['webhooks']) {
  return createPrepareActivities({
    namespaceId: () => Promise.resolve('namespace'),
    defaults: {},
    policy: { reconcileGraceMs: 1, poll: DEFAULT_POLL_POLICY, searchAttributes: false },
    ...(webhooks && { webhooks }),
  });
}

const inRun = (workflowId = 'list-1') =>
  createActivityEnvironment({ workflowExecution: { workflowId, runId: 'r' } });

const receiverOf = ({ url }: Receiver) => ({ url, secretName: 'test' });

async function faultsOf(input: unknown, webhooks?: PrepareDeps['webhooks']): Promise<unknown> {
  const failure = await failureIn(() => prepareWith(webhooks).prepareListSshKeys(input), inRun());
  return failure.details;
}

describe('the receivers of a run', () => {
  it('are those of the input, else those of its account, else nobody', () =>
    withReceiver(async (receiver) => {
      const given = receiverOf(receiver);
      const others = { ...given, url: `${receiver.url}&blue`, events: ['run.failed' as const] };
      const settings = { ...receiver.settings, notify: { blue: [others] } };
      const prepare = prepareWith(settings);
      const notifyOf = async (input: unknown) =>
        (await inActivity(() => prepare.prepareListSshKeys(input), inRun())).notify;

      expect(await notifyOf({ notify: [given] })).toEqual([
        { ...given, events: WEBHOOK_EVENT_TYPES },
      ]);
      const [ofAccount] = (await notifyOf({ account: 'blue' })) ?? [];
      expect(ofAccount).toEqual({ ...others, url: expect.stringMatching(/:\d+\/#[0-9a-f]{8}$/) });
      expect(await notifyOf({ account: 'blue', notify: [] })).toBeUndefined();
      expect(await notifyOf({})).toBeUndefined();
    }));

  it('are nobody for a plan', () =>
    withReceiver(async (receiver) => {
      const prepare = prepareWith(receiver.settings);
      const input = { planOnly: true, notify: [receiverOf(receiver)] };

      const prepared = await inActivity(
        () => prepare.prepareListSshKeys(input),
        inRun('plan/list-1'),
      );

      expect(prepared.notify).toBeUndefined();
    }));

  it('are refused where the worker sends no webhooks', async () => {
    const notify = [{ url: 'https://hooks.example.test/', secretName: 'test' }];

    expect(await faultsOf({ notify })).toMatchObject([
      { faults: [{ path: 'notify', message: expect.stringContaining('GCORE_WEBHOOKS_FILE') }] },
    ]);
  });

  it('are refused together with the other faults of the input', () =>
    withReceiver(async (receiver) => {
      const notify = [{ url: 'https://evil.example.test/', secretName: 'gone' }];

      expect(await faultsOf({ notify, nme: 1 }, receiver.settings)).toMatchObject([
        {
          faults: [
            { path: 'nme' },
            { path: 'notify[0].url', message: expect.stringContaining('evil.example.test') },
            { path: 'notify[0].secretName' },
          ],
        },
      ]);
    }));

  it('are refused with a secret that signs for other hosts', () =>
    withReceiver(async (receiver) => {
      const settings = { ...receiver.settings, secrets: { test: ['hooks.example.test'] } };

      expect(await faultsOf({ notify: [receiverOf(receiver)] }, settings)).toMatchObject([
        {
          faults: [
            {
              path: 'notify[0].secretName',
              message: expect.stringContaining('is not for the host'),
            },
          ],
        },
      ]);
    }));

  it.each([
    ['twice the same', [{}, {}], 'notify[1].url'],
    ['a relative URL', [{ url: '/hook' }], 'notify[0].url'],
    ['white space in a URL', [{ url: 'https://a.test/ b' }], 'notify[0].url'],
    ['credentials in a URL', [{ url: 'https://a:b@a.test/' }], 'notify[0].url'],
    ['a fragment', [{ url: 'https://a.test/#a' }], 'notify[0].url'],
    ['an empty fragment', [{ url: 'https://a.test/#' }], 'notify[0].url'],
    ['a file', [{ url: 'file:///etc/passwd' }], 'notify[0].url'],
    ['a path as a secret', [{ secretName: '../key' }], 'notify[0].secretName'],
    ['no events', [{ events: [] }], 'notify[0].events'],
    ['an unknown event', [{ events: ['run.started'] }], 'notify[0].events[0]'],
    ['too many', Array.from({ length: 6 }, (_, at) => ({ url: `https://a.test/${at}` })), 'notify'],
  ])('cannot be %s', async (_, given, path) => {
    const base = { url: 'https://hooks.example.test/', secretName: 'test' };
    const notify = given.map((target) => ({ ...base, ...target }));

    expect(await faultsOf({ notify }, undefined)).toMatchObject([
      { faults: expect.arrayContaining([expect.objectContaining({ path })]) },
    ]);
  });
});

describe('receiversOf', () => {
  it('finds who is told about a refused input, as far as it can be read', () =>
    withReceiver(async (receiver) => {
      const given = receiverOf(receiver);
      const settings = { ...receiver.settings, notify: { default: [{ ...given }] } };
      const prepare = prepareWith(settings);
      const target = { ...given, events: WEBHOOK_EVENT_TYPES };
      const ofAccount = { ...target, ...toReference(given), events: WEBHOOK_EVENT_TYPES };

      expect(await prepare.receiversOf({ account: 'blue', notify: [given], nme: 1 })).toEqual({
        account: 'blue',
        notify: [target],
      });
      expect(await prepare.receiversOf('no object')).toEqual({
        account: 'default',
        notify: [ofAccount],
      });
      expect(await prepare.receiversOf({ notify: 'nobody' })).toEqual({
        account: 'default',
        notify: [ofAccount],
      });
    }));
});
