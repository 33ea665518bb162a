import { describe, expect, it } from '@jest/globals';

import { OPERATIONS, type Operations } from '../../src/contract/operations/index.js';
import { resumeUpdate } from '../../src/engine/core/messages.js';
import { inScenario } from '../simulation/scenario.js';
import { ADDRESS, protectInput, stateWithProfiles } from '../support/inputs/protect-input.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { PUBLIC_KEY } from '../support/worlds/ssh-keys.js';
import {
  dataVolumeOf,
  floatingIpOf,
  instanceIdOf,
  stateWithInstances,
} from '../support/worlds/instances.js';
import { stateWithVideos } from '../support/worlds/videos.js';
import { resetRun } from '../support/runs/reset-run.js';
import { failureOfRun } from '../support/runs/run-failure.js';
import { untilBlocked } from '../support/runs/until-blocked.js';
import { until } from '../support/timing/until.js';
import { createHeldLine } from './held-line.js';

const WITH_INSTANCES = stateWithInstances([{ of: 1 }, { of: 2 }]);
const IN_LETTERS = 'abcdef03-0000-4000-8000-000000000001';
const STATE = {
  ...WITH_INSTANCES,
  volumes: WITH_INSTANCES.volumes.map((row) =>
    row.id === dataVolumeOf(2) ? { ...row, id: IN_LETTERS, attachments: [] } : row,
  ),
  videos: stateWithVideos([{ id: 7 }, { id: 8 }]).videos,
};
const QUOTA = { exception_class: 'QuotaLimitExceed', message: 'quota' };
const PROVISION = provisionInput();
const VOLUMES = '/cloud/v1/volumes/1/1';

type Asked = { [O in keyof Operations]?: Operations[O]['input'] };

/** What is asked for first. */
const FIRST = {
  snapshotVolume: { volumeId: dataVolumeOf(1), name: 'before' },
  createKvStore: { name: 'one' },
  createSshKey: { name: 'one', publicKey: PUBLIC_KEY },
  createSftpStorage: { name: 'one', location: 's-region-1' },
  addSubtitles: { videoId: 7, language: 'eng', name: 'English', vtt: 'WEBVTT\n' },
  replaceInstance: {
    ...PROVISION,
    instanceId: instanceIdOf(1),
    floatingIpId: floatingIpOf(1),
  },
  callApi: {
    method: 'POST',
    path: VOLUMES,
    body: { source: 'new-volume', name: 'one', size: 5 },
    look: { path: VOLUMES, pointer: '/results/0/name', equals: 'one' },
  },
} as const satisfies Asked;

type Maker = keyof typeof FIRST;

/** The same with one field changed, for each by which it is found. */
const THEN: { [O in Maker]: readonly [field: string, input: object][] } = {
  snapshotVolume: [['volumeId', { volumeId: IN_LETTERS }]],
  createKvStore: [['name', { name: 'two' }]],
  createSshKey: [['name', { name: 'two' }]],
  createSftpStorage: [['name', { name: 'two' }]],
  addSubtitles: [
    ['videoId', { videoId: 8 }],
    ['language', { language: 'deu' }],
    ['name', { name: 'Deutsch' }],
  ],
  replaceInstance: [['instanceId', { instanceId: instanceIdOf(2) }]],
  callApi: [
    ['method', { method: 'PUT' }],
    ['path', { path: `${VOLUMES}/other` }],
    ['body', { body: { source: 'new-volume', name: 'two', size: 5 } }],
  ],
};

const MAKERS = Object.keys(FIRST).filter((name): name is Maker => name in FIRST);
const CASES = MAKERS.flatMap((maker) =>
  THEN[maker].map(([field, change]) => [maker, field, { ...FIRST[maker], ...change }] as const),
);

describe('a request whose run was terminated with its call on its way', () => {
  it.each(CASES)(
    'is refused, as %s, with another %s: what the call has made would not be found',
    async (operation, field, input) => {
      const line = createHeldLine('POST');
      await inScenario({ state: STATE, line: line.fetch }, async (scenario) => {
        const { startRaw, account, mutations } = scenario;
        const first = await startRaw(operation, [{ account, ...FIRST[operation] }], 'moved');
        await until('its call has left', line.isHeld);
        await first.terminate('by an operator');
        line.letGo();
        const second = await startRaw(operation, [{ account, ...input }], 'moved');

        const { type, details } = await failureOfRun(second);

        expect([type, details.faults?.map(({ path }) => path)]).toEqual(['InvalidInput', [field]]);
        expect(mutations()).toHaveLength(1);
      });
    },
  );

  it.each([
    ['protectIp', protectInput(), { projectId: 2 }],
    ['protectIp', protectInput(), { regionId: 2 }],
  ] as const)(
    'is refused, as %s, in another place: what the call has made would not be found there',
    async (operation, asked, elsewhere) => {
      const line = createHeldLine('POST');
      await inScenario({ line: line.fetch }, async ({ startRaw, account, mutations }) => {
        const first = await startRaw(operation, [{ account, ...asked }], 'elsewhere');
        await until('its call has left', line.isHeld);
        await first.terminate('by an operator');
        line.letGo();
        const second = await startRaw(
          operation,
          [{ account, ...asked, ...elsewhere }],
          'elsewhere',
        );

        const { type, details } = await failureOfRun(second);

        const paths = details.faults?.map(({ path }) => path);
        expect([type, paths]).toEqual(['InvalidInput', Object.keys(elsewhere)]);
        expect(mutations()).toHaveLength(1);
      });
    },
  );

  it('is refused, as deleteInstance, in another place: what is still there would look gone', async () => {
    const line = createHeldLine('DELETE');
    await inScenario({ state: WITH_INSTANCES, line: line.fetch }, async (scenario) => {
      const { startRaw, account } = scenario;
      const choice = { volumes: 'keep', floatingIps: 'keep' } as const;
      const asked = { account, instanceId: instanceIdOf(1), ...choice, projectId: 1, regionId: 1 };
      const first = await startRaw('deleteInstance', [asked], 'deleted');
      await until('its call has left', line.isHeld);
      await first.terminate('by an operator');
      const second = await startRaw('deleteInstance', [{ ...asked, regionId: 2 }], 'deleted');

      const { type, message } = await failureOfRun(second);

      line.letGo();
      expect([type, message]).toEqual([
        'InvalidInput',
        expect.stringContaining('may have deleted it in region 1 of project 1'),
      ]);
    });
  });

  it('is refused, as removeProtection, in another place: what is still there would look gone', async () => {
    const line = createHeldLine('DELETE');
    const state = stateWithProfiles([ADDRESS]);
    await inScenario({ state, line: line.fetch }, async ({ startRaw, account }) => {
      const asked = { account, address: ADDRESS, projectId: 1, regionId: 1 };
      const first = await startRaw('removeProtection', [asked], 'removed');
      await until('its call has left', line.isHeld);
      await first.terminate('by an operator');
      const second = await startRaw('removeProtection', [{ ...asked, projectId: 2 }], 'removed');

      const { type, message } = await failureOfRun(second);

      line.letGo();
      expect([type, message]).toEqual([
        'InvalidInput',
        expect.stringContaining('may have changed it in region 1 of project 1'),
      ]);
    });
  });

  it('is refused however often it was asked for since', async () => {
    const line = createHeldLine('POST');
    await inScenario({ line: line.fetch }, async ({ startRaw, account, mutations }) => {
      const first = await startRaw('createKvStore', [{ account, name: 'one' }], 'often');
      await until('its call has left', line.isHeld);
      await first.terminate('by an operator');
      line.letGo();
      for (let tries = 0; tries < 12; tries++) {
        const again = await startRaw('createKvStore', [{ account, name: 'two' }], 'often');
        expect(await failureOfRun(again)).toMatchObject({ type: 'InvalidInput' });
      }

      expect(mutations()).toHaveLength(1);
    });
  });

  it('names every field by which something is found', () => {
    const found = Object.entries(OPERATIONS).flatMap(([operation, { foundBy = [] }]) =>
      foundBy.map((field) => [operation, field]),
    );

    expect(CASES.map(([operation, field]) => [operation, field]).sort()).toEqual(found.sort());
  });

  it('may be asked for in other words that name the same', async () => {
    const line = createHeldLine('POST');
    const state = STATE;
    await inScenario({ state, line: line.fetch, timeoutMs: 10_000 }, async (scenario) => {
      const { start, mutations } = scenario;
      const asked = { ...FIRST.snapshotVolume, volumeId: IN_LETTERS };
      const first = await start('snapshotVolume', asked, 'same');
      await until('its call has left', line.isHeld);
      await first.terminate('by an operator');
      line.letGo();
      const input = { ...asked, volumeId: IN_LETTERS.toUpperCase(), description: 'v1' };
      const second = await start('snapshotVolume', input, 'same');

      await second.result();

      expect(mutations()).toEqual(['POST /cloud/v1/snapshots/1/1']);
    });
  });
});

describe('a run that was corrected, and reset to before that without its correction', () => {
  it.each([
    ['createKvStore', { name: 'two' }, 'name'],
    ['createVolume', { regionId: 2 }, 'regionId'],
  ] as const)('makes nothing again as %s', async (operation, corrected, field) => {
    await inScenario({ state: STATE }, async (scenario) => {
      const { account, startRaw, simulator, client, mutations } = scenario;
      const input =
        operation === 'createKvStore'
          ? { account, name: 'one' }
          : { account, source: 'new-volume', name: 'one', size: 5, projectId: 1, regionId: 1 };
      simulator.faults.add({
        match: { method: 'POST' },
        action: { kind: 'status', status: 403, body: QUOTA },
      });
      const run = await startRaw(operation, [input], 'corrected');
      await untilBlocked(run, 'QuotaExceeded');
      await run.executeUpdate(resumeUpdate, { args: [{ input: { ...input, ...corrected } }] });
      await run.result();
      expect(mutations()).toHaveLength(2);

      const again = await resetRun(client, run, { sending: operation, withoutUpdates: true });
      const { type, details } = await failureOfRun(again);

      expect([type, details.faults?.map(({ path }) => path)]).toEqual(['InvalidInput', [field]]);
      expect(mutations()).toHaveLength(2);
    });
  });
});
