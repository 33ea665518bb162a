import { describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';

import { pauseUpdate, resumeUpdate, statusQuery } from '../../src/engine/core/messages.js';
import { planOf } from '../support/runs/plan-of.js';
import { failureOfRun } from '../support/runs/run-failure.js';
import { inScenario, type Scenario } from '../simulation/scenario.js';
import { createSecretsFolder } from '../support/secrets/secrets-folder.js';
import { hitsIn, recording } from '../secrets/run-with-secrets.js';
import { until } from '../support/timing/until.js';
import { untilBlocked } from '../support/runs/until-blocked.js';
import { stateWithStorages, STORAGES_PATH, writeKeys } from '../support/worlds/sftp-storages.js';

const KEY = { name: 'ingest' };
const FILMS = { name: 'films', location: 's-region-1' };
const WITH_ALL = { ...FILMS, password: { $secret: 'ingest-sftp' }, sshKeyIds: [1] };
const STATE = stateWithStorages([KEY], [{ id: 7 }]);
const WITH_OTHER_KEY = stateWithStorages([KEY, { name: 'other' }], [{ id: 7, sshKeyIds: [2] }]);
const WITH_PASSWORD = {
  ...STATE,
  sftpStorages: STATE.sftpStorages.map((row) => ({ ...row, hasPassword: true })),
};
const UNPROVEN = 'whether its password is the one that was asked for, no read shows';
const POST = { method: 'POST', path: STORAGES_PATH };

const storages = ({ simulator }: Scenario) => simulator.inventory().sftpStorages;

describe('createSftpStorage', () => {
  it('makes the storage with its keys and a password, and waits until it is active', () =>
    inScenario({ state: STATE, record: 'sftp-storage-created' }, async (scenario) => {
      const run = await scenario.start('createSftpStorage', WITH_ALL);

      expect(await run.result()).toMatchObject({
        storageId: 1,
        created: true,
        sshKeyIds: [1],
        hasPassword: true,
        ledger: [{ name: 'make SFTP storage', state: 'verified', note: 'made: storage 1' }],
      });
      expect(storages(scenario)).toMatchObject([
        {},
        { name: 'films', provisioning_status: 'active', has_password: true, ssh_key_ids: [1] },
      ]);
    }));

  it('sends nothing when there is one as asked', () =>
    inScenario({ state: STATE }, async (scenario) => {
      await (await scenario.start('createSftpStorage', FILMS)).result();
      const again = await scenario.start('createSftpStorage', FILMS);

      expect(await again.result()).toMatchObject({ storageId: 1, created: false });
      expect(scenario.mutations()).toEqual([`POST ${STORAGES_PATH}`]);
    }));

  it('says that the password of one which was there may be another one', () =>
    inScenario({ state: WITH_PASSWORD }, async (scenario) => {
      const { password } = WITH_ALL;
      const input = { name: 'storage-7', location: 's-region-1', password };
      const { ledger, created } = await (await scenario.start('createSftpStorage', input)).result();

      expect(created).toBe(false);
      expect(ledger[0]?.note).toBe(`it was there: storage 7; ${UNPROVEN}`);
    }));

  it.each([
    ['another location', { location: 's-region-2', state: STATE }, 'is in location s-region-1'],
    ['a key that it does not have', { sshKeyIds: [1], state: STATE }, 'has the keys none'],
    [
      'a password that it does not have',
      { password: WITH_ALL.password, state: STATE },
      'has no password',
    ],
    ['a key instead of another one', { sshKeyIds: [1], state: WITH_OTHER_KEY }, 'has the keys 2'],
  ])('refuses a name whose storage is not as asked: %s', (_what, { state, ...asked }, message) =>
    inScenario({ state }, async (scenario) => {
      const input = { name: 'storage-7', location: 's-region-1', ...asked };

      const plan = await planOf(scenario, 'createSftpStorage', { input });

      expect(plan).toMatchObject({
        ready: false,
        findings: [
          { path: 'name', message: `The storage 7 has the name "storage-7", and ${message}` },
        ],
      });
      const run = await scenario.start('createSftpStorage', input);
      expect(await failureOfRun(run)).toMatchObject({ type: 'InvalidRequest' });
      expect(scenario.mutations()).toEqual([]);
    }),
  );

  it.each([
    [
      'location',
      {
        asked: { location: 's-region-2', password: WITH_ALL.password },
        shown: { has_password: true },
        says: 'is in location s-region-1',
      },
    ],
    ['password', { asked: {}, shown: { location_name: 's-region-1' }, says: 'has a password' }],
  ])(
    'does not take the %s for the asked one because one answer lacks it',
    (_, { asked, shown, says }) =>
      inScenario({ state: WITH_PASSWORD }, async (scenario) => {
        const row = { id: 7, name: 'storage-7', provisioning_status: 'active', ssh_key_ids: [] };
        scenario.simulator.faults.add({
          match: { method: 'GET', path: STORAGES_PATH },
          action: {
            kind: 'status',
            status: 200,
            body: { count: 1, results: [{ ...row, ...shown }] },
          },
        });
        const input = { name: 'storage-7', location: 's-region-1', ...asked };
        const run = await scenario.start('createSftpStorage', input);

        expect(await failureOfRun(run)).toMatchObject({
          type: 'InvalidRequest',
          message: expect.stringContaining(says),
        });
        expect(scenario.mutations()).toEqual([]);
      }),
  );

  it('finds the storage of a call whose answer was lost, and makes no second one', () =>
    inScenario({ state: STATE }, async (scenario) => {
      scenario.simulator.faults.add({ match: POST, action: { kind: 'drop-response' } });

      const run = await scenario.start('createSftpStorage', WITH_ALL);

      const { ledger, ...made } = await run.result();
      expect(made).toMatchObject({ storageId: 1, created: true });
      expect(ledger[0]?.note).toBe(`there after a call without an answer: storage 1; ${UNPROVEN}`);
      expect(scenario.mutations()).toEqual([`POST ${STORAGES_PATH}`]);
    }));

  describe('when one as asked is still being made by somebody', () => {
    const FOREVER = Date.parse('2099-01-01T00:00:00Z');
    const creating = {
      ...STATE,
      sftpStorages: STATE.sftpStorages.map((row) => ({ ...row, settledAt: FOREVER })),
    };
    const input = { name: 'storage-7', location: 's-region-1' };

    async function waiting(scenario: Scenario) {
      const run = await scenario.start('createSftpStorage', input);
      await until('it waits', async () => {
        const { waiting: wait } = await run.query(statusQuery);
        return wait?.for === 'the storage to become active';
      });
      return run;
    }

    it('refuses the name when somebody changes that storage meanwhile', () =>
      inScenario({ state: creating }, async (scenario) => {
        const run = await waiting(scenario);

        await writeKeys(scenario, 7, [1]);

        expect(await failureOfRun(run)).toMatchObject({
          type: 'InvalidRequest',
          message: expect.stringContaining('has the keys 1'),
        });
      }));

    it('makes the one that a person corrects the input to', () =>
      inScenario({ state: creating }, async (scenario) => {
        const run = await waiting(scenario);
        await run.executeUpdate(pauseUpdate);

        const corrected = { ...input, name: 'films', account: scenario.account };
        await run.executeUpdate(resumeUpdate, { args: [{ input: corrected }] });

        expect(await run.result()).toMatchObject({ name: 'films', created: true });
      }));
  });

  it('says where storages can be made when the location takes none', () =>
    inScenario({ state: STATE }, async (scenario) => {
      const input = { ...FILMS, location: 's-ed1' };

      expect(await planOf(scenario, 'createSftpStorage', { input })).toMatchObject({
        findings: [
          {
            path: 'location',
            message: 'No storage can be made in "s-ed1"',
            advice: 'Name one of these locations: s-region-1, s-region-2.',
          },
        ],
      });
    }));
});

describe('rotateSftpPassword', () => {
  const PASSWORD = 'swordfish-9000';
  const ROTATE = { storageId: 7, password: { $secret: 'films-sftp' } };

  it('sets the password once, and keeps it out of the history', () => {
    const { path: secretsFolder } = createSecretsFolder({ 'films-sftp': PASSWORD });
    const bodies: string[] = [];
    const options = { state: STATE, secretsFolder, line: recording(bodies) };
    return inScenario({ ...options, record: 'sftp-password-rotated' }, async (scenario) => {
      const run = await scenario.start('rotateSftpPassword', ROTATE);

      expect(await run.result()).toMatchObject({ storageId: 7, hadPassword: false });
      expect(storages(scenario)).toMatchObject([{ has_password: true }]);
      expect(scenario.mutations()).toEqual([`PATCH ${STORAGES_PATH}/7`]);
      expect(bodies.map((body): unknown => JSON.parse(body))).toEqual([
        { password_mode: 'set', password: PASSWORD },
      ]);
      expect(await hitsIn(scenario, run, [PASSWORD])).toEqual([]);
    });
  });

  it('sends the password again after a lost answer: no read shows it', () => {
    const { path: secretsFolder } = createSecretsFolder({ 'films-sftp': PASSWORD });
    return inScenario({ state: STATE, secretsFolder }, async (scenario) => {
      const match = { method: 'PATCH', path: `${STORAGES_PATH}/7` };
      scenario.simulator.faults.add({ match, action: { kind: 'drop-response' } });

      const run = await scenario.start('rotateSftpPassword', ROTATE);

      expect(await run.result()).toMatchObject({ storageId: 7 });
      expect(scenario.mutations()).toHaveLength(2);
    });
  });

  it('sends the password again after a success whose body says an error', () => {
    const { path: secretsFolder } = createSecretsFolder({ 'films-sftp': PASSWORD });
    return inScenario({ state: STATE, secretsFolder }, async (scenario) => {
      scenario.simulator.faults.add({
        match: { method: 'PATCH', path: `${STORAGES_PATH}/7` },
        action: { kind: 'status', status: 200, body: { error: 'the storage is not reachable' } },
      });

      const run = await scenario.start('rotateSftpPassword', ROTATE);

      expect(await run.result()).toMatchObject({ storageId: 7 });
      expect(storages(scenario)).toMatchObject([{ has_password: true }]);
    });
  });

  it('waits for a secret that does not exist, and a plan names it', () => {
    const secrets = createSecretsFolder();
    return inScenario(
      { state: STATE, secretsFolder: secrets.path, policy: { probeMs: 200 } },
      async (scenario) => {
        const plan = await planOf(scenario, 'rotateSftpPassword', { input: ROTATE });
        expect(plan).toMatchObject({ ready: false, findings: [{ path: 'password' }] });

        const run = await scenario.start('rotateSftpPassword', ROTATE);
        await untilBlocked(run, 'SecretUnavailable');
        secrets.write('films-sftp', PASSWORD);

        expect(await run.result()).toMatchObject({ storageId: 7 });
      },
    );
  });
});

describe('a storage that one answer does not find', () => {
  const { path: secretsFolder } = createSecretsFolder({ 'films-sftp': 'swordfish-9000' });
  const changes: [string, (start: Scenario['start']) => Promise<WorkflowHandle>][] = [
    [
      'rotateSftpPassword',
      (start) => start('rotateSftpPassword', { storageId: 7, password: { $secret: 'films-sftp' } }),
    ],
    [
      'grantSftpAccess',
      (start) => start('grantSftpAccess', { storageId: 7, keyNames: ['backup'] }),
    ],
  ];

  it.each(changes)('is changed by %s', (_by, change) =>
    inScenario(
      { state: stateWithStorages([{ name: 'backup' }], [{ id: 7 }]), secretsFolder },
      async (scenario) => {
        scenario.simulator.faults.add({
          match: { method: 'GET', path: `${STORAGES_PATH}/7` },
          action: { kind: 'status', status: 404 },
        });

        expect(await (await change(scenario.start)).result()).toMatchObject({ storageId: 7 });
        expect(scenario.mutations()).toEqual([`PATCH ${STORAGES_PATH}/7`]);
      },
    ),
  );
});

describe('a key of an SFTP storage', () => {
  const KEYS = [{ name: 'backup' }, { name: 'ingest' }];
  const TWO_KEYS = stateWithStorages(KEYS, [{ id: 7, sshKeyIds: [1] }]);

  const linkings: [string, (start: Scenario['start']) => Promise<WorkflowHandle>][] = [
    ['an access', (start) => start('grantSftpAccess', { storageId: 7, keyNames: ['ingest'] })],
    ['a new storage', (start) => start('createSftpStorage', { ...FILMS, sshKeyIds: [2] })],
  ];

  it.each(linkings)('is not linked by %s while it is being deleted', (_by, link) =>
    inScenario({ state: TWO_KEYS }, async (scenario) => {
      const { start, simulator } = scenario;
      const slow = { kind: 'delay', ms: 1_500 } as const;
      simulator.faults.add({ match: { method: 'DELETE', path: /ssh_keys/ }, action: slow });
      const deletion = await start('deleteSshKey', { keyId: 2 });
      await until('the delete is sent', () =>
        simulator.inFlight().some(({ method }) => method === 'DELETE'),
      );

      const linking = await link(start);

      expect((await failureOfRun(linking)).type).toBe('InvalidRequest');
      expect(await deletion.result()).toMatchObject({ before: { name: 'ingest' } });
      expect(storages(scenario)).toMatchObject([{ ssh_key_ids: [1] }]);
    }),
  );

  it('is not deleted while it is being linked', () =>
    inScenario({ state: TWO_KEYS }, async (scenario) => {
      const { start, simulator } = scenario;
      const slow = { kind: 'delay', ms: 1_500 } as const;
      simulator.faults.add({ match: { method: 'PATCH', path: /sftp_storages/ }, action: slow });
      const grant = await start('grantSftpAccess', { storageId: 7, keyNames: ['ingest'] });
      await until('the keys are sent', () =>
        simulator.inFlight().some(({ method }) => method === 'PATCH'),
      );

      const deletion = await start('deleteSshKey', { keyId: 2 });

      expect((await failureOfRun(deletion)).message).toContain('linked to 1 SFTP storage');
      expect(await grant.result()).toMatchObject({ after: [1, 2] });
    }));
});
