import { describe, expect, it } from '@jest/globals';

import {
  createApiActivities,
  createApiClient,
  createManifestReader,
  createPrepareActivities,
  flattenGroups,
} from '../../src/activities/index.js';
import { DEFAULT_POLL_POLICY } from '../../src/contract/wire/tasks.js';
import type { RunPolicy } from '../../src/engine/core/run-policy.js';
import { createActivityEnvironment, failureIn, inActivity } from '../support/http/in-activity.js';
import { manyItems } from '../support/worlds/kv-stores.js';
import { createManifestRoot } from '../support/worlds/manifests.js';

const POLICY: RunPolicy = {
  reconcileGraceMs: 1,
  poll: DEFAULT_POLL_POLICY,
  searchAttributes: false,
};
const activities = createPrepareActivities({
  namespaceId: () => Promise.resolve('namespace'),
  defaults: {},
  policy: POLICY,
});

function inRun(workflowId: string) {
  const workflowExecution = { workflowId, runId: '00000000-0000-0000-0000-000000000000' };
  return createActivityEnvironment({ namespace: 'prod', workflowExecution });
}

describe('an id with a control character', () => {
  it('ends the run as InvalidInput before any query about it', async () => {
    const environment = inRun('list-ssh-keys/default/a\u0000b');

    const failure = await failureIn(async () => activities.prepareListSshKeys({}), environment);

    expect(failure).toMatchObject({ type: 'InvalidInput', nonRetryable: true });
    expect(failure.message).toContain('workflowId: must not contain control characters');
  });
});

describe('more chunks than a result can name', () => {
  const prepare = (chunkItems: number) => async () =>
    activities.prepareModifyKvStore({ storeId: 17, items: manyItems(2_500), chunkItems });

  it('are refused for a list, with the least chunkItems', async () => {
    const failure = await failureIn(prepare(1), inRun('push-1'));

    expect(failure).toMatchObject({ type: 'InvalidInput', nonRetryable: true });
    expect(failure.message).toContain(
      'chunkItems: makes 2500 chunks of 2500 items, but a run can write 1000: set it to 3 or more',
    );
  });

  it('become few enough with the least chunkItems', async () => {
    const { chunks } = await inActivity(prepare(3), inRun('push-1'));

    expect(chunks).toHaveLength(834);
  });

  it('are refused for a manifest of 30,000 lines', async () => {
    const root = createManifestRoot({ 'push.jsonl': manyItems(30_000) });
    const { scanKvManifest } = flattenGroups(
      createApiActivities({
        api: createApiClient({ baseUrl: 'https://nobody.invalid', apiKey: 'key-4711' }),
        poll: DEFAULT_POLL_POLICY,
        manifests: createManifestReader({ root }),
      }),
    );
    const manifest = { url: 'file:push.jsonl' };

    const failure = await failureIn(() =>
      scanKvManifest({ manifest, allowIrreversible: false, mostItems: 1 }),
    );

    expect(failure).toMatchObject({ type: 'InvalidInput', nonRetryable: true });
    expect(failure.message).toContain('set it to 30 or more');
  });
});
