import { describe, expect, it } from '@jest/globals';

import { statusQuery } from '../../../src/engine/core/messages.js';
import { createGate } from '../../support/timing/gate.js';
import { endOfRun, failureOfRun } from '../../support/runs/run-failure.js';
import { inScenario } from '../../simulation/scenario.js';
import { KEYS_PATH, manyKeys, stateWithKeys } from '../../support/worlds/ssh-keys.js';
import { until } from '../../support/timing/until.js';
const LIST = { method: 'GET', path: KEYS_PATH };
const KEY_REFUSED = { kind: 'status', status: 401, body: { error: 'Token is invalid' } } as const;

describe('listSshKeys that does not succeed', () => {
  it('fails immediately when the API refuses the key and onBlocked is "fail"', () =>
    inScenario({}, async ({ start, simulator }) => {
      simulator.faults.add({ match: LIST, action: KEY_REFUSED });
      const run = await start('listSshKeys', { onBlocked: 'fail' });

      expect(await failureOfRun(run)).toMatchObject({
        type: 'Unauthorized',
        details: { operation: 'listSshKeys', step: 'read SSH keys', resources: [] },
      });
    }));

  it('quotes the fault that the API finds', () =>
    inScenario({}, async ({ start, simulator }) => {
      const body = { error: 'order_by is unknown' };
      simulator.faults.add({ match: LIST, action: { kind: 'status', status: 400, body } });
      const run = await start('listSshKeys', {});

      const failed = await failureOfRun(run);

      expect(failed).toMatchObject({ type: 'InvalidRequest', details: { path: KEYS_PATH } });
      expect(failed.message).toContain('order_by is unknown');
      expect((await run.query(statusQuery)).steps).toMatchObject([{ state: 'failed' }]);
    }));

  it('ends as cancelled in the middle of a page', () =>
    inScenario({}, async ({ start, simulator }) => {
      const gate = createGate();
      simulator.faults.add({ match: LIST, action: { kind: 'delay', until: gate.opened } });
      const run = await start('listSshKeys', {});
      await until('the list call is in flight', () => simulator.inFlight().length === 1);

      await run.cancel();
      const ended = await endOfRun(run);
      gate.open();

      expect(ended).toMatchObject({ name: 'CancelledFailure' });
      expect(await run.query(statusQuery)).toMatchObject({
        phase: 'cancelled',
        steps: [{ state: 'failed', note: 'ended before the list was read' }],
      });
    }));

  it('says what to do when the keys do not fit into a result', () => {
    const publicKey = `ssh-rsa ${'A'.repeat(2_900)}`;
    const state = stateWithKeys(manyKeys(600).map((key) => ({ ...key, publicKey })));
    return inScenario({ state }, async ({ start }) => {
      const run = await start('listSshKeys', {});

      const failed = await failureOfRun(run);

      expect(failed.type).toBe('ResultTooLarge');
      expect(failed.message).toMatch(/^The \d+ keys take \d+ bytes; a result holds 1500000/);
      expect(failed.details.advice).toContain('"name"');
      const few = await start('listSshKeys', { limit: 2, orderBy: 'created_at.desc' });
      expect(await few.result()).toMatchObject({ keys: [{ id: 600 }, { id: 599 }], total: 600 });
    });
  });

  it('gives up on a list that changes faster than it can be read', () => {
    let id = 0;
    const line = () => {
      const key = { name: 'k', public_key: 'ssh-ed25519 A', created_at: '2026-01-01T00:00:00Z' };
      const results = [
        { ...key, id: ++id },
        { ...key, id: ++id },
      ];
      return Promise.resolve(Response.json({ count: 1_000, results }));
    };
    return inScenario({ line }, async ({ start }) => {
      const run = await start('listSshKeys', {});

      const failed = await failureOfRun(run);

      expect(failed.type).toBe('UnexpectedResponse');
      expect(failed.message).toContain('51 pages did not reach its end');
      expect(id).toBe(102);
    });
  });

  it.each([
    ['nothing', []],
    ['null', [null]],
    ['an unknown field', [{ projectId: 1 }]],
  ])('fails as InvalidInput when it is started with %s', (_, args) =>
    inScenario({}, async ({ startRaw, simulator }) => {
      const run = await startRaw('listSshKeys', args);

      expect((await failureOfRun(run)).type).toBe('InvalidInput');
      expect(simulator.requests).toEqual([]);
    }),
  );
});
