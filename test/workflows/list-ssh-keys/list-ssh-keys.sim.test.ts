import { describe, expect, it } from '@jest/globals';

import { pauseUpdate, resumeUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import { createGate } from '../../support/timing/gate.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { idsFrom, KEYS_PATH, manyKeys, stateWithKeys } from '../../support/worlds/ssh-keys.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { until } from '../../support/timing/until.js';
const LIST = { method: 'GET', path: KEYS_PATH };
/** The pages of a list of three: it is read twice. */
const PAGES = ['0', '999', '1998'];
/** Fills three pages. */
const MANY = stateWithKeys(manyKeys(2_500));
const FEW = stateWithKeys([{ name: 'ingest-1' }, { name: 'backup' }, { name: 'Ingest-2' }]);

const KEY_REFUSED = { kind: 'status', status: 401, body: { error: 'Token is invalid' } } as const;

/** The offset of each page that the run has requested. */
const offsetsOf = ({ simulator }: Scenario): string[] =>
  simulator.requests.flatMap(({ query }) => query['offset'] ?? []);

async function removeKey({ api }: Scenario, id: number): Promise<void> {
  const headers = { authorization: `apikey ${api.apiKey}` };
  await fetch(`${api.baseUrl}${KEYS_PATH}/${id}`, { method: 'DELETE', headers });
}

describe('listSshKeys', () => {
  it('reads every page and gives each key once, the oldest first', () =>
    inScenario({ state: MANY }, async (scenario) => {
      const run = await scenario.start('listSshKeys', {});

      const { keys, count } = await run.result();

      expect(keys.map(({ id }) => id)).toEqual(idsFrom(1, 2_500));
      expect(count).toBe(2_500);
      expect(offsetsOf(scenario)).toEqual([...PAGES, ...PAGES]);
      expect(scenario.mutations()).toEqual([]);
    }));

  it('loses no key when others are removed while it reads', () =>
    inScenario({ state: MANY, timeoutMs: 15_000 }, async (scenario) => {
      const { simulator } = scenario;
      const gate = createGate();
      simulator.faults.add({
        match: { ...LIST, nth: 2 },
        action: { kind: 'delay', until: gate.opened },
      });
      const run = await scenario.start('listSshKeys', {});

      await until(
        'the call for the second page is in flight',
        () => offsetsOf(scenario).length === 1 && simulator.inFlight().length === 1,
      );

      // Two keys before the page: the row that pages share makes up for one removed key only.
      const removed = [5, 6, 1_200];
      await Promise.all(removed.map((id) => removeKey(scenario, id)));
      gate.open();
      const { keys } = await run.result();

      const ids = new Set(keys.map(({ id }) => id));
      const stayed = idsFrom(1, 2_500).filter((id) => !removed.includes(id));
      expect(stayed.filter((id) => !ids.has(id))).toEqual([]);
      expect(keys).toHaveLength(ids.size);
    }));

  it('reads a page again when two pages do not overlap', () =>
    inScenario({ record: 'keys-listed' }, async (scenario) => {
      const page = (...ids: number[]) => ({
        kind: 'status' as const,
        status: 200,
        body: {
          count: 4,
          results: ids.map((id) => ({
            id,
            name: `key-${id}`,
            public_key: 'ssh-ed25519 A',
            created_at: '2026-01-01 00:00:00+00:00',
          })),
        },
      });
      const { faults } = scenario.simulator;
      faults.add({ match: { ...LIST, nth: 1 }, action: page(1, 2) });
      faults.add({ match: { ...LIST, nth: 2 }, action: page(3) });
      faults.add({ match: { ...LIST, nth: 3, times: 2 }, action: page(1, 3, 4, 5) });
      const run = await scenario.start('listSshKeys', {});

      const { keys } = await run.result();

      expect(keys.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
      expect(offsetsOf(scenario)).toEqual(['0', '1', '0', '0']);
      expect((await run.query(statusQuery)).steps).toMatchObject([
        { name: 'read SSH keys', state: 'verified', note: '5 keys', resources: [] },
      ]);
    }));

  it('returns the keys with the text in their names, in upper or lower case', () =>
    inScenario({ state: FEW }, async ({ start, simulator }) => {
      const run = await start('listSshKeys', { name: 'ngest' });
      const { keys, count } = await run.result();

      expect(keys.map(({ name }) => name)).toEqual(['ingest-1', 'Ingest-2']);
      expect(count).toBe(2);
      expect(simulator.requests[0]?.query['name']).toEqual(['ngest']);
    }));

  it('returns no other key when a server ignores the filter', () =>
    inScenario({ state: FEW }, async ({ start, simulator }) => {
      const results = simulator.inventory().sshKeys;
      const body = { count: results.length, results };
      simulator.faults.add({ match: LIST, action: { kind: 'status', status: 200, body } });
      const run = await start('listSshKeys', { name: 'INGEST' });

      const { keys } = await run.result();

      expect(keys.map(({ name }) => name)).toEqual(['ingest-1', 'Ingest-2']);
    }));

  it.each([
    ['the first', 1],
    ['the second', 2],
  ])('returns a key that %s of its two lists lacks', (_, nth) =>
    inScenario({ state: FEW }, async ({ start, simulator }) => {
      const results = simulator.inventory().sshKeys.slice(1);
      const body = { count: results.length, results };
      simulator.faults.add({
        match: { ...LIST, nth },
        action: { kind: 'status', status: 200, body },
      });
      const run = await start('listSshKeys', {});

      expect((await run.result()).count).toBe(3);
    }),
  );

  it('returns an empty list when there are no keys', () =>
    inScenario({}, async ({ start }) => {
      const run = await start('listSshKeys', {});

      expect(await run.result()).toEqual({ keys: [], count: 0, total: 0 });
    }));

  it.each([
    ['a lost answer', { kind: 'drop-response' } as const, 1],
    ['an answer of 500', { kind: 'status', status: 500 } as const, 1],
    ['an outage', { kind: 'status', status: 503 } as const, 3],
  ])('reads the same page again after %s, and continues', (_, action, times) =>
    inScenario({ state: MANY, timeoutMs: 500 }, async (scenario) => {
      scenario.simulator.faults.add({ match: { ...LIST, nth: 2, times }, action });
      const run = await scenario.start('listSshKeys', {});

      const { count } = await run.result();

      const again = Array.from({ length: times }, () => '999');
      expect(count).toBe(2_500);
      expect(offsetsOf(scenario)).toEqual(['0', ...again, '999', '1998', ...PAGES]);
    }),
  );

  it('waits for a valid API key, and continues where it was', () =>
    inScenario({ state: MANY }, async (scenario) => {
      scenario.simulator.faults.add({ match: { ...LIST, nth: 2 }, action: KEY_REFUSED });
      const run = await scenario.start('listSshKeys', {});
      await untilBlocked(run, 'Unauthorized');

      const { steps } = await run.query(statusQuery);
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      const { count } = await run.result();

      expect(steps).toMatchObject([{ state: 'waiting', note: '1000 of 2500 keys read' }]);
      expect(count).toBe(2_500);
      expect(offsetsOf(scenario)).toEqual(['0', '999', '999', '1998', ...PAGES]);
    }));

  it('starts again when a person resumes it with another filter', () =>
    inScenario({ state: FEW }, async ({ start, simulator, account }) => {
      simulator.faults.add({ match: LIST, action: KEY_REFUSED });
      const run = await start('listSshKeys', { name: 'ingest' });
      await untilBlocked(run, 'Unauthorized');

      const input = { account, name: 'backup' };
      await run.executeUpdate(resumeUpdate, { args: [{ input }] });
      const { keys } = await run.result();

      expect(keys.map(({ name }) => name)).toEqual(['backup']);
    }));

  it('requests no page while it is paused', () =>
    inScenario({ state: MANY, timeoutMs: 15_000 }, async (scenario) => {
      const gate = createGate();
      scenario.simulator.faults.add({ match: LIST, action: { kind: 'delay', until: gate.opened } });
      const run = await scenario.start('listSshKeys', {});
      await until('the list call is in flight', () => scenario.simulator.inFlight().length === 1);

      await run.executeUpdate(pauseUpdate);
      gate.open();
      await until('the run has processed the answer', async () => {
        const { steps } = await run.query(statusQuery);
        return steps[0]?.note !== undefined;
      });

      expect((await run.query(statusQuery)).phase).toBe('paused');
      expect(offsetsOf(scenario)).toEqual(['0']);
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      expect((await run.result()).count).toBe(2_500);
    }));
});
