import { describe, expect, it } from '@jest/globals';

import { createPrepareActivities } from '../../src/activities/index.js';
import { DEFAULT_POLL_POLICY } from '../../src/contract/wire/tasks.js';
import { createActivityEnvironment, failureIn, inActivity } from '../support/http/in-activity.js';
import { createBody } from '../support/inputs/instance-bodies.js';

const prepare = createPrepareActivities({
  namespaceId: () => Promise.resolve('namespace'), // With `accounts`, these count for none of them.
  defaults: { projectId: 99, regionId: 99 },
  accounts: {
    blue: { projectId: 1, regionId: 2 },
    green: { projectId: 3, regionId: 4, projects: [3, 5] },
    grey: {},
  },
  policy: { reconcileGraceMs: 1, poll: DEFAULT_POLL_POLICY, searchAttributes: false },
});

const inRun = (workflowId = 'run-1') =>
  createActivityEnvironment({ workflowExecution: { workflowId, runId: 'r' } });

async function placeOf(input: Record<string, unknown>) {
  const { projectId, regionId } = await inActivity(
    () => prepare.prepareProvisionInstance({ instance: createBody(), ...input }),
    inRun(),
  );
  return { projectId, regionId };
}

async function faultsOf(call: () => Promise<unknown>): Promise<unknown> {
  const { type, details } = await failureIn(call, inRun());
  expect(type).toBe('InvalidInput');
  const [first] = details ?? [];
  return first instanceof Object ? Reflect.get(first, 'faults') : undefined;
}

describe('the defaults of a run', () => {
  it('are those of its account', async () => {
    expect(await placeOf({ account: 'blue' })).toEqual({ projectId: 1, regionId: 2 });
    expect(await placeOf({ account: 'green' })).toEqual({ projectId: 3, regionId: 4 });
    expect(await placeOf({ account: 'green', projectId: 5 })).toEqual({
      projectId: 5,
      regionId: 4,
    });
    expect(await placeOf({ account: 'grey', projectId: 7, regionId: 8 })).toEqual({
      projectId: 7,
      regionId: 8,
    });
  });

  it.each(['grey', 'default', 'constructor'])('are none for the account %s', async (account) => {
    const faults = await faultsOf(() =>
      prepare.prepareProvisionInstance({ instance: createBody(), account }),
    );

    expect(faults).toEqual(
      ['projectId', 'regionId'].map((path) => ({
        path,
        message: expect.stringMatching(
          `is missing, and the account "${account}" has no default: .*write "${path}" into the account`,
        ),
      })),
    );
  });
});

describe('a project that is not of the account', () => {
  const fault = {
    path: 'projectId',
    message: 'the account "green" is for 3, 5 only: name one of these, or another account',
  };

  it('is refused, together with the other faults of the input', async () => {
    const faults = await faultsOf(() =>
      prepare.prepareProvisionInstance({ account: 'green', projectId: 4, instance: 'x' }),
    );

    expect(faults).toEqual([expect.objectContaining({ path: 'instance' }), fault]);
  });

  it('is refused where a project may be left out', async () => {
    const input = { account: 'green', projectId: 4, storageId: 1, keyNames: ['a'] };

    expect(await faultsOf(() => prepare.prepareGrantSftpAccess(input))).toEqual([fault]);
  });
});
