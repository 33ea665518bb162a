import { describe, expect, it } from '@jest/globals';

import { z } from 'zod';

import { abortUpdate, pauseUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import type { FaultRule, Simulator } from '../../../src/simulator/index.js';
import { callByHand } from '../../support/http/call-by-hand.js';
import { CREATE_PATH, provisionInput } from '../../support/inputs/provision-input.js';
import { endOfRun, failureOfRun } from '../../support/runs/run-failure.js';
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

  it.each([
    ['its own', false],
    ['one that goes with the instance', true],
  ])('deletes no volume that somebody has attached to another instance too: %s', (_, isBound) =>
    inScenario({ policy: { probeMs: 600_000 } }, async (scenario) => {
      const { simulator } = scenario;
      const volumes = provisionInput().instance.volumes.map((one) => ({
        ...one,
        delete_on_termination: isBound,
      }));
      const run = await scenario.start('provisionInstance', provisionInput({ volumes }));
      await until('the call is made', () => scenario.mutations().length > 0);
      await run.executeUpdate(pauseUpdate);
      await until(
        'the instance is up',
        () => simulator.inventory().instances[0]?.status === 'ACTIVE',
      );
      const { instances, volumes: made } = simulator.inventory();
      const id = made[0]?.id ?? '';
      const attachments = [{ server_id: instances[0]?.id }, { server_id: OTHER }];
      simulator.faults.add({
        match: { method: 'GET', path: `/cloud/v1/volumes/1/1/${id}`, times: Infinity },
        action: { kind: 'status', status: 200, body: { id, status: 'in-use', attachments } },
      });
      await run.cancel();
      await untilBlocked(run, 'RemovalBlocked');

      const { blocked } = await run.query(statusQuery);
      await run.executeUpdate(abortUpdate, { args: [{}] });
      await endOfRun(run);

      expect(blocked?.message).toContain(`attached it to instance ${OTHER}`);
      expect(simulator.inventory().volumes.map((volume) => volume.id)).toEqual([id]);
      expect(simulator.inventory().instances).toHaveLength(isBound ? 1 : 0);
    }),
  );

  it('takes nothing from an instance that stays', () =>
    inScenario({ policy: { probeMs: 600_000 } }, async (scenario) => {
      const { api, simulator } = scenario;
      const run = await scenario.start('provisionInstance', INPUT);
      await until('the call is made', () => scenario.mutations().length > 0);
      await run.executeUpdate(pauseUpdate);
      await until(
        'the instance is up',
        () => simulator.inventory().instances[0]?.status === 'ACTIVE',
      );
      const path = `/cloud/v1/instances/1/1/${simulator.inventory().instances[0]?.id ?? ''}`;
      const shown = z
        .looseObject({ volumes: z.array(z.unknown()) })
        .parse(await callByHand(api, `GET ${path}`));
      const volumes = [...shown.volumes, { id: OTHER, delete_on_termination: true }];
      simulator.faults.add({
        match: { method: 'GET', path, times: Infinity },
        action: { kind: 'status', status: 200, body: { ...shown, volumes } },
      });
      await run.cancel();
      await untilBlocked(run, 'RemovalBlocked');

      const { blocked } = await run.query(statusQuery);
      await run.executeUpdate(abortUpdate, { args: [{}] });
      await endOfRun(run);

      expect(blocked?.message).toContain(`its delete would take volume ${OTHER}`);
      expect(simulator.mutations().filter(({ method }) => method === 'DELETE')).toEqual([]);
      expect(simulator.inventory().floatingIps).toHaveLength(1);
    }));

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
