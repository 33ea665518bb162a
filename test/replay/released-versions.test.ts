import { describe, expect, it } from '@jest/globals';

import { createPrepareActivities } from '../../src/activities/index.js';
import { PREPARED_FIELDS, unknownFields } from '../../src/contract/prepared/known-fields.js';
import { Operation } from '../../src/contract/names.js';
import { DEFAULT_POLL_POLICY } from '../../src/contract/run-policy.js';
import { HELD_BACK_PATCHES } from '../../src/worker/held-back-patches.js';
import { Patch } from '../../src/workflows/engine/run/patches.js';
import { createActivityEnvironment, inActivity } from '../support/http/in-activity.js';
import { TESTED_OPERATIONS } from '../support/operations/index.js';
import { newestCorpus } from '../support/replay/corpus.js';

const newest = newestCorpus();

/** Deployments are rolling: for a while a worker of the version before is offered what this one has begun. */
describe(`beside workers of ${newest.version}, the newest released version, this one`, () => {
  const activities = createPrepareActivities({
    defaults: { projectId: 1, regionId: 1 },
    // As `runWorker` sets it.
    policy: {
      poll: DEFAULT_POLL_POLICY,
      reconcileGraceMs: 1_000,
      searchAttributes: true,
      watcher: true,
      traceTasks: true,
    },
    namespaceId: () => Promise.resolve('id-of-the-namespace'),
  });
  const prepare: Record<Operation, (input: unknown) => Promise<unknown>> = {
    provisionInstance: (input) => activities.prepareProvisionInstance(input),
    protectIp: (input) => activities.prepareProtectIp(input),
    modifyKvStore: (input) => activities.prepareModifyKvStore(input),
    importVideos: (input) => activities.prepareImportVideos(input),
    grantSftpAccess: (input) => activities.prepareGrantSftpAccess(input),
    deleteInstance: (input) => activities.prepareDeleteInstance(input),
    listSshKeys: (input) => activities.prepareListSshKeys(input),
  };
  const workflowExecution = { workflowId: 'any/default/order-1', runId: 'run' };

  it.each(Object.values(Operation))(
    'records no field that they do not know: %s. Record a new field one release after it is known (docs/upgrade.md)',
    async (operation) => {
      const known = newest.prepared[operation];
      const { cases, matrix } = TESTED_OPERATIONS[operation];
      const inputs = [
        ...cases.map(({ input }) => input('audit-7')),
        matrix.input({ seed: 1, name: 'seed-1', onFailure: 'keep' }),
      ];
      for (const input of inputs) {
        const prepared = await inActivity(
          () => prepare[operation](input),
          createActivityEnvironment({ namespace: 'default', workflowExecution }),
        );
        expect(unknownFields(prepared, known ?? {})).toEqual([]);
      }
    },
  );

  it('uses no patch that they do not know: hold a new one back for a release (docs/upgrade.md)', () => {
    const known: readonly string[] = [...newest.patches, ...HELD_BACK_PATCHES];

    expect(Object.values<string>(Patch).filter((patch) => !known.includes(patch))).toEqual([]);
  });

  it('knows every field and patch that they may have recorded', () => {
    const patches: readonly string[] = Object.values(Patch);

    expect(newest.patches.filter((patch) => !patches.includes(patch))).toEqual([]);
    expect(unknownFields(newest.prepared, PREPARED_FIELDS)).toEqual([]);
  });
});
