import { describe, expect, it } from '@jest/globals';

import type { FaultMatch, SimulatorState } from '../../../src/simulator/index.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { ADDRESS, PROFILES_PATH, stateWithProfiles } from '../../support/inputs/protect-input.js';
import { stateWithStores, STORE, STORES_PATH } from '../../support/worlds/kv-stores.js';
import { KEYS_PATH, stateWithKeys } from '../../support/worlds/ssh-keys.js';
import { stateWithVideos, VIDEOS_PATH } from '../../support/worlds/videos.js';

const NOT_FOUND = { kind: 'status', status: 404 } as const;
const GONE = { name: expect.any(String), state: 'verified', note: 'gone' };

interface Removal {
  operation: string;
  start: (scenario: Scenario) => Promise<{ result(): Promise<unknown> }>;
  state: SimulatorState;
  list: string;
  left: (scenario: Scenario) => readonly unknown[];
}

const REMOVALS: readonly Removal[] = [
  {
    operation: 'deleteKvStore',
    start: (scenario) => scenario.start('deleteKvStore', { storeId: STORE }),
    state: stateWithStores(),
    list: STORES_PATH,
    left: ({ simulator }) => simulator.inventory().kvStores,
  },
  {
    operation: 'deleteSshKey',
    start: (scenario) => scenario.start('deleteSshKey', { keyId: 1 }),
    state: stateWithKeys([{ name: 'ingest' }]),
    list: KEYS_PATH,
    left: ({ simulator }) => simulator.inventory().sshKeys,
  },
  {
    operation: 'deleteVideo',
    start: (scenario) => scenario.start('deleteVideo', { videoId: 1 }),
    state: stateWithVideos([{ id: 1 }]),
    list: VIDEOS_PATH,
    left: ({ simulator }) => simulator.inventory().videos,
  },
];

/** The reads and the changes of the thing and of its list, in order. */
const calls = ({ simulator }: Scenario, { list }: Removal): string[] =>
  simulator.requests
    .filter(({ path }) => path === list || path === `${list}/1`)
    .map(({ method, path }) => `${method} ${path}`);

const notFound = ({ simulator }: Scenario, match: FaultMatch, times = 1): void => {
  simulator.faults.add({ match: { ...match, times }, action: NOT_FOUND });
};

describe.each(REMOVALS)('$operation', (removal) => {
  const { start, state, list, left } = removal;
  const one = `${list}/1`;

  it('deletes what is not found once', () =>
    inScenario({ state }, async (scenario) => {
      notFound(scenario, { method: 'GET', path: one });

      const run = await start(scenario);

      expect(await run.result()).toMatchObject({ ledger: [GONE] });
      expect(left(scenario)).toEqual([]);
    }));

  it('deletes what is not found once after a delete whose request was lost', () =>
    inScenario({ state }, async (scenario) => {
      const { simulator } = scenario;
      simulator.faults.add({
        match: { method: 'DELETE', path: one },
        action: { kind: 'drop-request' },
      });
      notFound(scenario, { method: 'GET', path: one, nth: 2 });

      const run = await start(scenario);

      expect(await run.result()).toMatchObject({ ledger: [GONE] });
      expect(left(scenario)).toEqual([]);
    }));

  it('asks for nothing more when the API has deleted it', () =>
    inScenario({ state }, async (scenario) => {
      await (await start(scenario)).result();

      expect(calls(scenario, removal)).toEqual([`GET ${one}`, `DELETE ${one}`, `GET ${one}`]);
    }));

  it('asks the list too for what is not there, and says how it has looked', () =>
    inScenario({}, async (scenario) => {
      const run = await start(scenario);

      expect(await run.result()).toMatchObject({
        before: null,
        ledger: [{ note: expect.stringMatching(/^there is nothing to remove: looked 1 time in/) }],
      });
      expect(calls(scenario, removal)).toEqual([`GET ${one}`, `GET ${list}`]);
    }));
});

describe('removeProtection', () => {
  const LIST = { method: 'GET', path: PROFILES_PATH };
  const EMPTY = { kind: 'status', status: 200, body: { count: 0, results: [] } } as const;
  const state = stateWithProfiles([ADDRESS]);

  it('removes a profile that the list lacks at first', () =>
    inScenario({ state }, async (scenario) => {
      const { simulator } = scenario;
      simulator.faults.add({ match: { ...LIST, times: 3 }, action: EMPTY });

      const run = await scenario.start('removeProtection', { address: ADDRESS });

      expect(await run.result()).toMatchObject({ profileId: 1, ledger: [GONE] });
      expect(simulator.inventory().ddosProfiles).toEqual([]);
    }));

  it('removes a profile that the list lacks once after its deletion has failed', () =>
    inScenario({ state }, async (scenario) => {
      const { simulator } = scenario;
      simulator.faults.add({
        match: { method: 'DELETE', path: `${PROFILES_PATH}/1` },
        action: { kind: 'task-error', error: 'internal error', leftovers: 'none' },
      });
      simulator.faults.add({ match: { ...LIST, nth: 2 }, action: EMPTY });

      const run = await scenario.start('removeProtection', { address: ADDRESS });

      expect(await run.result()).toMatchObject({ profileId: 1, ledger: [GONE] });
      expect(simulator.inventory().ddosProfiles).toEqual([]);
    }));

  it('looks for longer than lists lag for one that is not there, and says so', () =>
    inScenario({ realPolls: true, policy: { reconcileGraceMs: 120_000 } }, async (scenario) => {
      const run = await scenario.start('removeProtection', { address: ADDRESS });

      expect(await run.result()).toMatchObject({
        ledger: [{ note: expect.stringMatching(/nothing to remove: looked \d+ times in 12\d s$/) }],
      });
      const looks = scenario.simulator.requests.filter(({ path }) => path === PROFILES_PATH);
      expect(looks.length).toBeLessThanOrEqual(15);
    }));
});
