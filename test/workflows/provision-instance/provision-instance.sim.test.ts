import { describe, expect, it } from '@jest/globals';

import { jsonByteLength } from '../../../src/engine/core/text.js';
import { statusQuery } from '../../../src/engine/core/messages.js';
import { MARKER_TAG } from '../../../src/contract/wire/names.js';
import { statusDocumentSchema } from '../../../src/contract/documents.js';
import { provisionInstanceResultSchema } from '../../../src/contract/operations/provision-instance.js';
import {
  CREATE_PATH,
  provisionInput,
  WINDOWS_VOLUME,
} from '../../support/inputs/provision-input.js';
import { failureOfRun } from '../../support/runs/run-failure.js';
import { PRIVATE_NETWORK } from '../../support/worlds/simulated-cloud.js';
import { inScenario } from '../../simulation/scenario.js';

describe('provisionInstance', () => {
  it('creates one instance, waits for its task and reports it once it is ACTIVE', () =>
    inScenario({ record: 'created' }, async ({ start, simulator, mutations }) => {
      const run = await start('provisionInstance', provisionInput());

      const result = await run.result();

      const [instance, ...others] = simulator.inventory().instances;
      expect(others).toEqual([]);
      expect(provisionInstanceResultSchema.parse(result)).toMatchObject({
        instanceId: instance?.id,
        name: 'web-1',
        status: 'ACTIVE',
        adopted: false,
      });
      expect(result.addresses).toHaveLength(1);
      expect(mutations()).toEqual([`POST ${CREATE_PATH}`]);
    }));

  it('marks the instance and its new volume with namespace and Workflow Id', () =>
    inScenario({}, async ({ start, simulator }) => {
      const run = await start('provisionInstance', provisionInput({ tags: { team: 'platform' } }));

      await run.result();

      const marker = { key: MARKER_TAG, value: `default/${run.workflowId}`, read_only: false };
      const { instances, volumes } = simulator.inventory();
      expect(instances[0]?.tags).toContainEqual(marker);
      expect(instances[0]?.tags).toContainEqual(expect.objectContaining({ key: 'team' }));
      expect(volumes[0]?.tags).toContainEqual(marker);
    }));

  it('answers the status query with a ledger that names what exists', () =>
    inScenario({}, async ({ start, simulator }) => {
      const run = await start('provisionInstance', provisionInput());
      await run.result();

      const status = statusDocumentSchema.parse(await run.query(statusQuery));

      const { instances, volumes } = simulator.inventory();
      expect(status.phase).toBe('succeeded');
      expect(status.waiting).toBeUndefined();
      expect(status.steps.map((step) => step.state)).toEqual(['verified', 'verified']);
      expect(status.steps.flatMap((step) => step.resources)).toEqual([
        { kind: 'instance', id: instances[0]?.id },
        { kind: 'volume', id: volumes[0]?.id },
      ]);
    }));

  it.each([
    { says: 'a user name on Windows', change: { username: 'ada' }, volumes: [WINDOWS_VOLUME] },
    {
      says: 'user data beside a password',
      change: { user_data: 'IyEvYmluL3No' },
      volumes: undefined,
    },
  ] as const)('sends nothing with $says', ({ change, volumes }) =>
    inScenario({ secretsPolicy: 'allow' }, async ({ start, mutations }) => {
      const image = volumes && { volumes: [...volumes] };
      const asked = provisionInput({ password: 'canary-secret', ...change, ...image });

      const failed = await failureOfRun(await start('provisionInstance', asked));

      expect(failed).toMatchObject({
        type: 'InvalidRequest',
        details: { faults: [{ path: `instance.${Object.keys(change).join('')}` }] },
      });
      expect(mutations()).toEqual([]);
    }),
  );

  it('takes user data beside a password on Windows', () =>
    inScenario({ secretsPolicy: 'allow' }, async ({ start }) => {
      const credentials = { password: 'canary-secret', user_data: 'IyEvYmluL3No' };
      const asked = { ...credentials, volumes: [WINDOWS_VOLUME] };

      const run = await start('provisionInstance', provisionInput(asked));

      expect(await run.result()).toMatchObject({ status: 'ACTIVE' });
    }));

  it('adopts the instance of a request that succeeded before', () =>
    inScenario({ record: 'adopted' }, async ({ start, simulator, mutations }) => {
      const first = await start('provisionInstance', provisionInput(), 'repeat-after-retention');
      const { instanceId } = await first.result();

      const second = await start('provisionInstance', provisionInput(), 'repeat-after-retention');
      const result = await second.result();

      expect(result).toMatchObject({ instanceId, adopted: true });
      expect(simulator.inventory().instances).toHaveLength(1);
      expect(mutations()).toEqual([`POST ${CREATE_PATH}`]);
    }));

  it.each([2, 3])('adopts it although list %d does not show it', (nth) =>
    inScenario({}, async ({ start, simulator, mutations }) => {
      const first = await start('provisionInstance', provisionInput(), 'listed-once');
      const { instanceId } = await first.result();
      simulator.faults.add({
        match: { method: 'GET', path: '/cloud/v1/instances/1/1', nth, times: 1 },
        action: { kind: 'status', status: 200, body: { count: 0, results: [] } },
      });

      const second = await start('provisionInstance', provisionInput(), 'listed-once');

      expect(await second.result()).toMatchObject({ instanceId, adopted: true });
      expect(mutations()).toEqual([`POST ${CREATE_PATH}`]);
    }),
  );

  it('names the floating IP of what it adopts when the API has forgotten the task', () =>
    inScenario({}, async ({ start, simulator }) => {
      const input = provisionInput({
        interfaces: [
          { type: 'any_subnet', network_id: PRIVATE_NETWORK, floating_ip: { source: 'new' } },
        ],
      });
      const first = await start('provisionInstance', input, 'adopted-with-address');
      const { ledger: made } = await first.result();
      simulator.faults.add({
        match: { method: 'GET', path: /^\/cloud\/v1\/tasks\/.+/, times: Infinity },
        action: { kind: 'status', status: 404, body: { exception_class: 'NotFoundError' } },
      });

      const second = await start('provisionInstance', input, 'adopted-with-address');

      const kinds = made[0]?.resources.map(({ kind }) => kind);
      expect(kinds?.sort()).toEqual(['floating-ip', 'instance', 'volume']);
      expect((await second.result()).ledger[0]?.resources).toEqual(
        expect.arrayContaining(made[0]?.resources ?? []),
      );
    }));

  it('does not adopt an instance of another flavor', () =>
    inScenario({}, async ({ start }) => {
      const first = await start('provisionInstance', provisionInput(), 'other-flavor');
      await first.result();

      const input = provisionInput({ flavor: 'g2-standard-4-8' }, { onBlocked: 'fail' });
      const second = await start('provisionInstance', input, 'other-flavor');

      expect(await failureOfRun(second)).toMatchObject({
        type: 'OutcomeUnknown',
        message: expect.stringContaining('flavor'),
      });
    }));

  it('removes the broken leftover of an earlier try before it sends its call', () =>
    inScenario({}, async ({ start, simulator, mutations }) => {
      simulator.faults.add({
        match: { method: 'POST', path: CREATE_PATH },
        action: { kind: 'task-error', error: 'internal error', leftovers: 'instance' },
      });
      const input = provisionInput({}, { onFailure: 'keep' });
      const first = await start('provisionInstance', input, 'with-leftover');
      await failureOfRun(first);
      const [broken] = simulator.inventory().instances;

      const second = await start('provisionInstance', provisionInput(), 'with-leftover');
      const { instanceId } = await second.result();

      expect(broken?.status).toBe('ERROR');
      expect(simulator.inventory().instances.map(({ id }) => id)).toEqual([instanceId]);
      expect(simulator.inventory().volumes).toHaveLength(1);
      expect(mutations().indexOf(`DELETE /cloud/v1/instances/1/1/${broken?.id ?? ''}`)).toBe(1);
    }));

  it('waits only for the task with waitFor "task"', () =>
    inScenario({}, async ({ start }) => {
      const run = await start('provisionInstance', provisionInput({}, { waitFor: 'task' }));

      const result = await run.result();

      expect(result.instanceId).not.toBe('');
    }));

  it('fails with the text of the task and removes the leftovers', () =>
    inScenario({ record: 'task-error' }, async ({ start, simulator }) => {
      simulator.faults.add({
        match: { method: 'POST', path: CREATE_PATH },
        action: { kind: 'task-error', error: 'hypervisor on fire', leftovers: 'volume' },
      });
      const run = await start('provisionInstance', provisionInput());

      const failed = await failureOfRun(run);

      expect(failed.type).toBe('TaskFailed');
      expect(failed.message).toContain('hypervisor on fire');
      expect(failed.details).toMatchObject({
        operation: 'provisionInstance',
        step: 'create instance',
        resources: [],
        advice: expect.stringContaining('start again'),
      });
      expect(simulator.inventory()).toMatchObject({ instances: [], volumes: [] });
    }));

  it('ends with a cut text when the error of the task has 1.2 MB', () =>
    inScenario({}, async ({ start, simulator }) => {
      simulator.faults.add({
        match: { method: 'POST', path: CREATE_PATH },
        action: { kind: 'task-error', error: 'x'.repeat(1_200_000), leftovers: 'volume' },
      });
      const run = await start('provisionInstance', provisionInput());

      const failed = await failureOfRun(run);

      expect(failed.type).toBe('TaskFailed');
      expect(jsonByteLength([failed.message, failed.details])).toBeLessThan(8_000);
      expect(simulator.inventory()).toMatchObject({ instances: [], volumes: [] });
    }));

  it('keeps the leftovers of a failed task with onFailure "keep", and names them', () =>
    inScenario({}, async ({ start, simulator }) => {
      simulator.faults.add({
        match: { method: 'POST', path: CREATE_PATH },
        action: { kind: 'task-error', error: 'no luck', leftovers: 'instance' },
      });
      const run = await start('provisionInstance', provisionInput({}, { onFailure: 'keep' }));

      const failed = await failureOfRun(run);

      const { instances, volumes } = simulator.inventory();
      expect(instances).toHaveLength(1);
      expect(failed.details.resources).toEqual(
        expect.arrayContaining([
          { kind: 'instance', id: instances[0]?.id },
          ...volumes.map(({ id }) => ({ kind: 'volume', id })),
        ]),
      );
    }));

  it('fails once as InvalidInput when a client in another language sends a broken input', () =>
    inScenario({ record: 'invalid-input' }, async ({ startRaw, mutations, account }) => {
      const broken = { account, instance: { flavour: 'g2', volumes: [] } };
      const run = await startRaw('provisionInstance', [broken]);

      const failed = await failureOfRun(run);

      expect(failed.type).toBe('InvalidInput');
      expect(failed.details.faults?.map(({ path }) => path).sort()).toEqual([
        'instance.flavor',
        'instance.flavour',
        'instance.interfaces',
        'instance.volumes',
      ]);
      expect(mutations()).toEqual([]);
    }));

  it.each([
    ['nothing', []],
    ['null', [null]],
    ['a text', ['web-1']],
  ])('fails as InvalidInput when it is started with %s', (_, args) =>
    inScenario({}, async ({ startRaw }) => {
      const run = await startRaw('provisionInstance', args);

      expect((await failureOfRun(run)).type).toBe('InvalidInput');
    }),
  );

  it('fails as Unauthorized with a hint about "$" when the key is wrong', () =>
    inScenario({}, async ({ start, simulator, api }) => {
      simulator.keys.revoke('default');
      const run = await start('provisionInstance', provisionInput({}, { onBlocked: 'fail' }));

      const failed = await failureOfRun(run);

      expect(failed.type).toBe('Unauthorized');
      expect(failed.message).toContain('"$"');
      expect(failed.message).not.toContain(api.apiKey);
    }));

  it('names the call that the API refuses, and creates nothing', () =>
    inScenario({}, async ({ start, simulator }) => {
      const run = await start('provisionInstance', provisionInput({ flavor: 'no-such-flavor' }));

      const failed = await failureOfRun(run);

      expect(['InvalidRequest', 'NotFound', 'CapacityUnavailable']).toContain(failed.type);
      expect(failed.details).toMatchObject({ method: 'POST', path: CREATE_PATH });
      expect(simulator.inventory().instances).toEqual([]);
    }));
});
