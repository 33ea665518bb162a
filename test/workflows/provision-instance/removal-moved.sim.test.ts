import { describe, expect, it } from '@jest/globals';

import { abortUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import type { FaultRule, Simulator } from '../../../src/simulator/index.js';
import { CREATE_PATH, provisionInput } from '../../support/inputs/provision-input.js';
import { failureOfRun } from '../../support/runs/run-failure.js';
import { inScenario } from '../../simulation/scenario.js';
import { until } from '../../support/timing/until.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
const OTHER = '00000001-0000-4000-8000-000000000002';
const network_id = '5b2bd9c2-4c5a-4f39-a4e4-5f4d8d2bb0aa';
const INPUT = provisionInput({
  interfaces: [{ type: 'any_subnet', network_id, floating_ip: { source: 'new' } }],
});

const createFails = (leftovers: Moved['leftovers']): FaultRule => ({
  match: { method: 'POST', path: CREATE_PATH },
  action: { kind: 'task-error', error: 'internal error', leftovers },
});

interface Moved {
  /** Of the path. */
  area: 'floatingips' | 'volumes';
  /** What the failed create has left; a volume alone, because it would go with its instance. */
  leftovers: 'instance' | 'volume';
  /** What a read shows of it since. */
  shown: (id: string) => object;
}

const MOVES: [string, string, Moved][] = [
  [
    'floating IP',
    `instance ${OTHER}`,
    {
      area: 'floatingips',
      leftovers: 'instance',
      shown: (id) => ({ id, port_id: 'port-2', instance: { id: OTHER } }),
    },
  ],
  [
    'floating IP',
    'port port-9',
    {
      area: 'floatingips',
      leftovers: 'instance',
      shown: (id) => ({ id, port_id: 'port-9', instance: null }),
    },
  ],
  [
    'volume',
    `instance ${OTHER}`,
    {
      area: 'volumes',
      leftovers: 'volume',
      shown: (id) => ({ id, status: 'in-use', attachments: [{ server_id: OTHER }] }),
    },
  ],
];

/** The path of the first resource of this kind whose delete was sent. */
function deletedPath({ requests }: Simulator, area: string): string | undefined {
  return requests.find(({ method, path }) => method === 'DELETE' && path.includes(`/${area}/`))
    ?.path;
}

describe('a rollback', () => {
  it.each([
    ['one read does not find', { status: 404 }],
    ['one read shows nowhere', { status: 200, body: { id: 'moved', port_id: null } }],
  ])('sends no delete for a floating IP of another instance that %s', (_, answer) =>
    inScenario({ policy: { probeMs: 600_000 } }, async ({ start, simulator }) => {
      const match = { method: 'GET', path: /floatingips\/1\/1\/./ };
      const body = { id: 'moved', port_id: 'port-2', instance: { id: OTHER } };
      simulator.faults.add(createFails('instance'));
      simulator.faults.add({ match, action: { kind: 'status', ...answer } });
      simulator.faults.add({
        match: { ...match, times: Infinity },
        action: { kind: 'status', status: 200, body },
      });

      const run = await start('provisionInstance', INPUT);
      await untilBlocked(run, 'RemovalBlocked');
      await run.executeUpdate(abortUpdate, { args: [{}] });
      await failureOfRun(run);

      expect(deletedPath(simulator, 'floatingips')).toBeUndefined();
      expect(simulator.inventory().floatingIps).toHaveLength(1);
    }),
  );

  it.concurrent.each(MOVES)(
    'leaves a %s alone that somebody has attached to %s since the API refused its delete',
    (_, holder, { area, leftovers, shown }) =>
      inScenario({ policy: { probeMs: 600_000 } }, async ({ start, simulator }) => {
        simulator.faults.add(createFails(leftovers));
        simulator.faults.add({
          match: { method: 'DELETE', path: new RegExp(`/${area}/`), times: Infinity },
          action: { kind: 'status', status: 503 },
        });
        const run = await start('provisionInstance', INPUT);
        await until('its delete is refused', () => deletedPath(simulator, area) !== undefined);
        const path = deletedPath(simulator, area) ?? '';
        const id = path.split('/').at(-1) ?? '';
        const moved: FaultRule = {
          match: { method: 'GET', path, times: Infinity },
          action: { kind: 'status', status: 200, body: shown(id) },
        };
        simulator.faults.add(moved);
        const looks = () =>
          simulator.requests.filter((sent) => sent.method === 'GET' && sent.path === path).length;
        const before = looks();
        await until('the run looks again', () => looks() > before);

        // From now on the API takes the delete.
        simulator.faults.clear();
        simulator.faults.add(moved);
        await untilBlocked(run, 'RemovalBlocked');
        const { blocked } = await run.query(statusQuery);
        await run.executeUpdate(abortUpdate, { args: [{}] });
        const { details } = await failureOfRun(run);

        const { volumes, floatingIps } = simulator.inventory();
        expect(blocked?.message).toContain(`somebody has attached it to ${holder}`);
        expect([...volumes, ...floatingIps].map((row) => row.id)).toEqual([id]);
        expect(details.resources?.map((left) => left.id)).toContain(id);
      }),
  );
});
