import { describe, expect, it } from '@jest/globals';

import { statusQuery } from '../../src/engine/core/messages.js';
import { CREATE_PATH, provisionInput, WINDOWS_VOLUME } from '../support/inputs/provision-input.js';
import { failureOfRun } from '../support/runs/run-failure.js';
import { at, gatewayOf, post } from '../support/gateway/gateway-world.js';
import { inScenario } from '../simulation/scenario.js';
import { untilBlocked } from '../support/runs/until-blocked.js';
import { createSecretsFolder } from '../support/secrets/secrets-folder.js';
import { base64, canary } from './canaries.js';
import { hitsIn, recording } from './run-with-secrets.js';
const password = canary('password').value;
const script = `#cloud-config\npassword: ${canary('script').value}\n`;
const NAMED = {
  volumes: [WINDOWS_VOLUME],
  password: { $secret: 'web', key: 'password' },
  user_data: { $secret: 'init' },
  configuration: { app: { key: { $secret: 'app' } }, size: 3 },
};

describe('an instance with secrets by their names', () => {
  it('waits for one that does not exist, goes on by itself when it does, and shows none', () => {
    const secrets = createSecretsFolder({ init: base64(script), app: 'app-key-4711' });
    const bodies: string[] = [];
    const options = {
      secretsFolder: secrets.path,
      line: recording(bodies),
      policy: { probeMs: 200 },
    };
    return inScenario(options, async (scenario) => {
      const run = await scenario.start('provisionInstance', provisionInput(NAMED));
      await untilBlocked(run, 'SecretUnavailable');
      const { blocked, steps } = await run.query(statusQuery);

      expect(blocked?.message).toBe('Not sent: the secret "web" (key "password") does not exist.');
      expect(blocked?.advice).toContain('Write it into a file "web"');
      expect(steps[0]?.note).toBe('not sent: a secret is missing');
      expect(bodies).toEqual([]);

      secrets.write('web', JSON.stringify({ password }));
      await run.result();

      expect(JSON.parse(bodies[0] ?? '')).toMatchObject({
        password,
        user_data: base64(script),
        configuration: { app: { key: 'app-key-4711' }, size: 3 },
      });
      expect(await hitsIn(scenario, run, [password, script, 'app-key-4711'])).toEqual([]);
    });
  });

  it('is started by the gateway too', () => {
    const { path } = createSecretsFolder({ web: JSON.stringify({ password }), app: 'x', init: '' });
    return inScenario({ secretsFolder: path }, async (scenario) => {
      const body = { ...provisionInput({ password: NAMED.password }), account: scenario.account };
      const app = gatewayOf(scenario);

      const started = await app.request(
        at('/v1/runs/provisionInstance'),
        post(body, { 'Idempotency-Key': 'a' }),
      );
      const location = started.headers.get('location') ?? '';
      const result = await app.request(at(`${location}/result?wait=50s`));

      expect([started.status, result.status]).toEqual([202, 200]);
      expect(await result.text()).not.toContain(password);
      expect(scenario.simulator.inventory().instances).toHaveLength(1);
    });
  });

  it('fails at once when the caller does not want to wait', () => {
    const { path } = createSecretsFolder();
    return inScenario({ secretsFolder: path }, async ({ start, mutations }) => {
      const run = await start('provisionInstance', provisionInput(NAMED, { onBlocked: 'fail' }));

      const failure = await failureOfRun(run);

      expect(failure.type).toBe('SecretUnavailable');
      expect(mutations()).toEqual([]);
    });
  });

  it('is refused when a value does not fit, by its name and without the value', () => {
    const value = canary('no base64').value;
    const { path } = createSecretsFolder({ web: '{"password":"p"}', app: 'x', init: value });
    return inScenario({ secretsFolder: path }, async (scenario) => {
      const run = await scenario.start('provisionInstance', provisionInput(NAMED));

      const failure = await failureOfRun(run);

      expect(failure.type).toBe('InvalidInput');
      expect(failure.message).toContain('instance.user_data: the secret "init" must be base64');
      expect(scenario.mutations()).toEqual([]);
      expect(await hitsIn(scenario, run, [value])).toEqual([]);
    });
  });

  it('is made once when its answer is lost, also when a secret changes before the look', () => {
    const secrets = createSecretsFolder({ web: JSON.stringify({ password }), app: 'x', init: '' });
    secrets.write('init', base64(script));
    const bodies: string[] = [];
    const rotate = ({ method }: Request): void => {
      if (method === 'POST') secrets.write('web', JSON.stringify({ password: 'another-1' }));
    };
    const line = recording(bodies, rotate);
    return inScenario({ secretsFolder: secrets.path, line }, async (scenario) => {
      const { simulator, start } = scenario;
      const match = { method: 'POST', path: CREATE_PATH, times: 1 };
      simulator.faults.add({ match, action: { kind: 'drop-response' } });

      const run = await start('provisionInstance', provisionInput(NAMED));
      await run.result();

      expect(simulator.inventory().instances).toHaveLength(1);
      expect(bodies).toHaveLength(1);
      expect(await hitsIn(scenario, run, [password, script])).toEqual([]);
    });
  });

  it('shows no text of a task that may repeat a secret that has changed since', () => {
    const secrets = createSecretsFolder({ web: JSON.stringify({ password }), app: 'x' });
    secrets.write('init', base64(script));
    return inScenario({ secretsFolder: secrets.path }, async (scenario) => {
      scenario.simulator.faults.add({
        match: { method: 'POST', path: CREATE_PATH },
        action: { kind: 'task-error', error: `cloud-init: ${password} is too weak` },
      });

      const run = await scenario.start('provisionInstance', provisionInput(NAMED));
      const failure = await failureOfRun(run);

      expect(failure.message).toContain('the text is withheld');
      expect(await hitsIn(scenario, run, [password])).toEqual([]);
    });
  });
});

describe('a secret in clear', () => {
  it.each(['refuse', 'unless-encrypted'] as const)(
    'of a client that does not check it is refused by the worker (%s), which says where it stands',
    (secretsPolicy) =>
      inScenario({ secretsPolicy }, async ({ startRaw, account, mutations }) => {
        const input = { ...provisionInput({ password: 'hunter-2-canary' }), account };

        const failure = await failureOfRun(await startRaw('provisionInstance', [input]));

        expect(failure.type).toBe('InvalidInput');
        expect(failure.message).toContain('instance.password: stands in clear in the history');
        expect(failure.message).not.toContain('hunter');
        expect(mutations()).toEqual([]);
      }),
  );
});
