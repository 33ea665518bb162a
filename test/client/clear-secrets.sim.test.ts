import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';
import type { PayloadCodec } from '@temporalio/common';

import { createGcoreWorkflows, InvalidInputError } from '../../src/client/index.js';
import { clearSecretsOf } from '../../src/client/runnable-input.js';
import type { ClearSecrets } from '../../src/contract/clear-secrets.js';
import { resumeUpdate } from '../../src/engine/core/messages.js';
import { CREATE_PATH, provisionInput, WINDOWS_VOLUME } from '../support/inputs/provision-input.js';
import { failureOfRun } from '../support/runs/run-failure.js';
import { inScenario, type Scenario } from '../simulation/scenario.js';
import { untilBlocked } from '../support/runs/until-blocked.js';
import { createSecretsFolder } from '../support/secrets/secrets-folder.js';
const clientOf = ({ client, taskQueue }: Scenario, clearSecrets?: ClearSecrets) =>
  createGcoreWorkflows({ client, taskQueue, ...(clearSecrets && { clearSecrets }) });

const CLEAR = provisionInput({ password: 'hunter2-canary' });
const NAMED = provisionInput({ password: { $secret: 'web' } });

/** The places of the secrets for which a call was refused. */
async function refusedBy(call: Promise<unknown>): Promise<string[]> {
  const error: unknown = await call.catch((thrown: unknown) => thrown);
  if (!(error instanceof InvalidInputError)) throw new Error('not refused', { cause: error });
  expect(error.message).not.toContain('hunter2');
  expect(error.faults.map(({ message }) => message).join()).toContain('{ "$secret": "name" }');
  return error.faults.map(({ path }) => path);
}

const PASSWORD = ['instance.password'];

/** The secret is written while the run is blocked. */
const PROBES_SOON = { probeMs: 1_000 };

describe('a client that does not encrypt', () => {
  it('stores no secret in clear: by no start, plan, schedule, retry or correction', () => {
    const { path, write } = createSecretsFolder();
    // The worker would accept it.
    const options = { secretsFolder: path, secretsPolicy: 'allow', policy: PROBES_SOON } as const;
    return inScenario(options, async (scenario) => {
      const { account, simulator, start } = scenario;
      const gcore = clientOf(scenario);
      const input = { ...CLEAR, account };
      const request = { requestId: randomUUID(), input };
      simulator.faults.add({
        match: { method: 'POST', path: CREATE_PATH, times: 1 },
        action: { kind: 'status', status: 400 },
      });
      const failed = await start('provisionInstance', CLEAR);
      await failureOfRun(failed);
      const blocked = await start('provisionInstance', NAMED);
      await untilBlocked(blocked, 'SecretUnavailable');
      const correction = { operation: 'provisionInstance', input } as const;
      const schedule = { scheduleId: randomUUID(), every: '6h', input };

      expect(await refusedBy(gcore.start('provisionInstance', request))).toEqual(PASSWORD);
      expect(await refusedBy(gcore.startPlan('provisionInstance', request))).toEqual(PASSWORD);
      expect(await refusedBy(gcore.schedules.create('provisionInstance', schedule))).toEqual(
        PASSWORD,
      );
      expect(await refusedBy(gcore.retry(failed.workflowId))).toEqual(PASSWORD);
      expect(await refusedBy(gcore.resume(blocked.workflowId, correction))).toEqual(PASSWORD);

      write('web', 'p w');
      await blocked.result();
    });
  });

  it('may store it when it is told to, and the worker too', () =>
    inScenario({ secretsPolicy: 'allow' }, async (scenario) => {
      const gcore = clientOf(scenario, 'allow');
      const input = { ...CLEAR, account: scenario.account };

      const { workflowId } = await gcore.start('provisionInstance', { requestId: 'a', input });

      expect(await gcore.result('provisionInstance', workflowId)).toMatchObject({
        status: 'ACTIVE',
      });
    }));
});

describe('a worker that accepts no secret in clear', () => {
  it('refuses it in a correction too, and the run goes on as it was', () => {
    const { path, write } = createSecretsFolder();
    return inScenario({ secretsFolder: path, policy: PROBES_SOON }, async ({ start, account }) => {
      const run = await start('provisionInstance', NAMED);
      await untilBlocked(run, 'SecretUnavailable');
      const correction = { input: { ...CLEAR, account } };

      await expect(run.executeUpdate(resumeUpdate, { args: [correction] })).rejects.toMatchObject({
        cause: { type: 'InvalidInput', message: expect.stringContaining('stands in clear') },
      });

      write('web', 'p w');
      expect(await run.result()).toMatchObject({ status: 'ACTIVE' });
    });
  });

  it('plans with secrets by their names, and the plan names those that are missing', () => {
    const { path, write } = createSecretsFolder({ init: 'I2Nsb3VkLWNvbmZpZwo=' });
    return inScenario({ secretsFolder: path }, async (scenario) => {
      const gcore = clientOf(scenario);
      const secrets = { password: { $secret: 'web' }, user_data: { $secret: 'init' } };
      const instance = { ...secrets, volumes: [WINDOWS_VOLUME] };
      const input = { ...provisionInput(instance), account: scenario.account };

      const before = await gcore.plan('provisionInstance', { requestId: 'a', input });
      write('web', 'canary-1');
      const after = await gcore.plan('provisionInstance', { requestId: 'a', input });

      expect(before.findings.filter(({ severity }) => severity === 'fault')).toEqual([
        {
          severity: 'fault',
          path: 'instance.password',
          message: 'the secret "web" does not exist',
          advice: expect.stringContaining('"web"'),
        },
      ]);
      expect([before.ready, after.ready]).toEqual([false, true]);
      expect(JSON.stringify(after)).not.toContain('canary');
    });
  });
});

describe('the default of a client', () => {
  const codec = (encoding?: string): PayloadCodec => ({
    encode: (payloads) =>
      Promise.resolve(
        encoding === undefined
          ? payloads
          : payloads.map(() => ({ metadata: { encoding: Buffer.from(encoding) } })),
      ),
    decode: (payloads) => Promise.resolve(payloads),
  });

  it.each<[string, PayloadCodec[], ClearSecrets]>([
    ['refuses secrets in clear without a codec', [], 'refuse'],
    ['refuses them with a codec that compresses', [codec('binary/zlib')], 'refuse'],
    ['refuses them with a codec that has no key now', [codec()], 'refuse'],
    ['allows them with a codec that encrypts', [codec(), codec('binary/encrypted')], 'allow'],
  ])('%s', (_, payloadCodecs, expected) =>
    inScenario({}, async ({ client }) => {
      const loadedDataConverter = { ...client.options.loadedDataConverter, payloadCodecs };
      const { workflowService } = client;
      const asked = { options: { ...client.options, loadedDataConverter }, workflowService };

      expect(await clearSecretsOf(asked, undefined)('provisionInstance', CLEAR)).toBe(expected);
      expect(await clearSecretsOf(asked, 'refuse')('provisionInstance', CLEAR)).toBe('refuse');
    }),
  );
});
