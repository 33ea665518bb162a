import { beforeAll, describe, expect, it } from '@jest/globals';

import { createPrepareActivities } from '../../src/activities/index.js';
import { PREPARED_FIELDS } from '../../src/contract/wire/prepared.js';
import type { KnownFields } from '../../src/engine/core/prepared-run.js';
import { Operation } from '../../src/contract/wire/names.js';
import { DEFAULT_POLL_POLICY } from '../../src/contract/wire/tasks.js';
import { HELD_BACK_PATCHES } from '../../src/worker/held-back-patches.js';
import { Patch } from '../../src/engine/run/patches.js';
import { createActivityEnvironment, inActivity } from '../support/http/in-activity.js';
import { VOLUME_CALLS } from '../support/http/volume-calls.js';
import { TESTED_OPERATIONS } from '../support/operations/index.js';
import { faultsBeside, type ThisVersion } from './beside-release.js';
import { corpora, type Corpus } from '../support/replay/corpus.js';

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
  callApi: VOLUME_CALLS,
});

function prepare(operation: Operation, input: unknown): Promise<unknown> {
  const name = `prepare${operation.charAt(0).toUpperCase()}${operation.slice(1)}`;
  const activity: unknown = Reflect.get(activities, name);
  if (typeof activity !== 'function') throw new Error(`there is no ${name}`);
  return Promise.resolve(Reflect.apply(activity, undefined, [input]));
}

function without<T>(fields: Readonly<Record<string, T>>, name: string): Record<string, T> {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => field !== name));
}

async function examplesOf(operation: Operation): Promise<unknown[]> {
  const workflowExecution = { workflowId: 'any/default/order-1', runId: 'run' };
  const { cases, matrix } = TESTED_OPERATIONS[operation];
  const inputs = [
    ...cases.map(({ input }) => input('audit-7')),
    matrix.input({ seed: 1, name: 'seed-1', onFailure: 'keep' }),
  ];
  return Promise.all(
    inputs.map((input) =>
      inActivity(
        () => prepare(operation, input),
        createActivityEnvironment({ namespace: 'default', workflowExecution }),
      ),
    ),
  );
}

describe('beside workers of a released version, this one', () => {
  let own: ThisVersion;
  beforeAll(async () => {
    const examples = Object.values(Operation).map(
      async (operation) => [operation, await examplesOf(operation)] as const,
    );
    own = {
      prepared: Object.fromEntries(await Promise.all(examples)),
      patches: Object.values<string>(Patch),
      heldBack: HELD_BACK_PATCHES,
    };
  });
  const released = (changed: Partial<Corpus> = {}): Corpus => ({
    version: '0.0.1',
    commit: 'a',
    histories: 0,
    prepared: PREPARED_FIELDS,
    patches: Object.values<string>(Patch),
    ...changed,
  });

  it('records and uses nothing that the newest does not know (docs/upgrade.md)', () => {
    // Before the first release this version is its own.
    const newest = corpora().at(-1) ?? released();

    expect(faultsBeside(newest, own)).toEqual([]);
  });

  it('is found out when it records a field that the other does not know', () => {
    const listSshKeys = without(PREPARED_FIELDS.listSshKeys, 'policy');
    const older = released({ prepared: { ...PREPARED_FIELDS, listSshKeys } });

    expect(faultsBeside(older, own)).toEqual([
      'listSshKeys records policy: record it one release after it is known',
    ]);
  });

  it('may have an operation that the other does not have', () => {
    const older = released({ prepared: without(PREPARED_FIELDS, 'listSshKeys') });

    expect(faultsBeside(older, own)).toEqual([]);
  });

  it('is found out when it forgets a field or an operation of the other', () => {
    const listSshKeys: KnownFields = { ...PREPARED_FIELDS.listSshKeys, dry: true };
    const newer = released({ prepared: { ...PREPARED_FIELDS, listSshKeys } });

    expect(faultsBeside(newer, own)).toEqual(['does not know listSshKeys.dry']);
  });

  it('holds a new patch back for a release, and forgets none', () => {
    const patched = { ...own, patches: [...own.patches, 'new-patch'] };

    expect(faultsBeside(released(), patched)).toEqual([
      'uses patch new-patch: hold it back for a release',
    ]);
    expect(faultsBeside(released(), { ...patched, heldBack: ['new-patch'] })).toEqual([]);
    expect(faultsBeside(released({ patches: ['old-patch'] }), own)).toEqual([
      'does not know patch old-patch',
    ]);
  });
});
