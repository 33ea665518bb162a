import { describe, expect, it } from '@jest/globals';

import type { CallObserver } from '../../../src/engine/http/call-context.js';
import { createBreakers } from '../../../src/activities/gcore-api.js';
import type { Breakers } from '../../../src/engine/http/circuit-breaker.js';
import { resumeUpdate, statusQuery } from '../../../src/engine/core/messages.js';
import {
  ADDRESS,
  PROFILES_PATH,
  protectInput,
  stateWithProfiles,
} from '../../support/inputs/protect-input.js';
import { provisionInput } from '../../support/inputs/provision-input.js';
import { inScenario, type Scenario } from '../../simulation/scenario.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { contentOf, DATA_PATH, kvInput, stateWithStores } from '../../support/worlds/kv-stores.js';
import { stateWithStorages, STORAGES_PATH } from '../../support/worlds/sftp-storages.js';
import { CREATE } from '../../support/worlds/simulated-cloud.js';
const NEVER_BY_ITSELF = { policy: { probeMs: 3_600_000 } } as const;

/** A worker with a defect in all calls of these paths, until it is mended. */
function brokenWorker(isMet: (path: string) => boolean, { sendsFirst }: { sendsFirst: boolean }) {
  const sound = createBreakers();
  let isBroken = true;
  const breakers: Breakers = {
    ...sound,
    async run(path, call, about) {
      if (!isBroken || !isMet(path)) return sound.run(path, call, about);
      if (sendsFirst) await call();
      throw new URIError('URI malformed');
    },
  };
  const mend = (): void => {
    isBroken = false;
  };
  return { mend, calls: { breakers } };
}

/** A worker with a defect right before one kind of change is sent, until it is mended. */
function brokenChange(method: string, path: string) {
  let isBroken = true;
  let times = 0;
  const observer: CallObserver = {
    exchange(call, send) {
      if (!isBroken || call.method !== method || !call.path.startsWith(path)) return send();
      times += 1;
      throw new URIError('URI malformed');
    },
    held: () => undefined,
    waited: () => undefined,
  };
  const mend = (): void => {
    isBroken = false;
  };
  return { mend, met: () => times, calls: { observer } };
}

/** One of each way to send: a create, a wanted state, a list that is read, merged and written. */
const NEVER_SENT = [
  {
    operation: 'provisionInstance',
    method: 'POST',
    path: CREATE,
    state: stateWithStores(),
    begin: ({ start }: Scenario) => start('provisionInstance', provisionInput()),
  },
  {
    operation: 'protectIp',
    method: 'PATCH',
    path: PROFILES_PATH,
    state: stateWithProfiles([ADDRESS]),
    begin: ({ start }: Scenario) => start('protectIp', protectInput()),
  },
  {
    operation: 'grantSftpAccess',
    method: 'PATCH',
    path: STORAGES_PATH,
    state: stateWithStorages([{ name: 'backup' }], [{ id: 7 }]),
    begin: ({ start }: Scenario) =>
      start('grantSftpAccess', { storageId: 7, keyNames: ['backup'] }),
  },
] as const;

const isReadOfKey = (path: string): boolean => path.startsWith(`${DATA_PATH}/`);

describe('a defect of the worker', () => {
  it('in a read blocks the run with its cause, at once and by name, until it is mended', () => {
    const { calls, mend } = brokenWorker(isReadOfKey, { sendsFirst: false });
    const options = { ...NEVER_BY_ITSELF, calls, state: stateWithStores() };
    return inScenario(options, async ({ start, simulator }) => {
      const run = await start('modifyKvStore', kvInput({ verify: 'all' }));
      await untilBlocked(run, 'Defect');
      const { blocked } = await run.query(statusQuery);

      mend();
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      await run.result();

      expect(blocked?.message).toBe(
        'The worker met a defect of its own (URIError: URI malformed).',
      );
      expect(Object.keys(contentOf(simulator))).toHaveLength(3);
    });
  });

  it('in a change leaves its outcome unknown, and blocks instead of sending on and on', () => {
    const { calls, mend } = brokenWorker((path) => path === DATA_PATH, { sendsFirst: true });
    const options = { ...NEVER_BY_ITSELF, calls, state: stateWithStores() };
    return inScenario(options, async ({ start, simulator, mutations }) => {
      const run = await start('modifyKvStore', kvInput());
      await untilBlocked(run, 'Defect');
      const { steps } = await run.query(statusQuery);
      const meanwhile = mutations().length;

      mend();
      await run.executeUpdate(resumeUpdate, { args: [{}] });
      await run.result();

      expect(steps.map(({ state }) => state)).toContain('outcome-unknown');
      expect([meanwhile, mutations().length]).toEqual([1, 2]);
      expect(Object.keys(contentOf(simulator))).toHaveLength(3);
    });
  });

  it.each(NEVER_SENT)(
    'in $operation, before anything is sent, blocks it by name and is not met again and again',
    ({ method, path, state, begin }) => {
      const { calls, mend, met } = brokenChange(method, path);
      return inScenario({ ...NEVER_BY_ITSELF, calls, state }, async (scenario) => {
        const run = await begin(scenario);
        await untilBlocked(run, 'Defect');
        const meanwhile = met();

        mend();
        await run.executeUpdate(resumeUpdate, { args: [{}] });
        await run.result();

        expect(meanwhile).toBe(1);
        expect(
          scenario.mutations().filter((sent) => sent.startsWith(`${method} ${path}`)),
        ).toHaveLength(1);
      });
    },
  );

  it('after a create was sent makes no second instance', () => {
    let met = 0;
    const isFirstCreate = (path: string): boolean => path === CREATE && ++met === 1;
    const { calls } = brokenWorker(isFirstCreate, { sendsFirst: true });
    return inScenario({ calls }, async ({ start, simulator }) => {
      const run = await start('provisionInstance', provisionInput());

      expect(await run.result()).toMatchObject({ status: 'ACTIVE' });
      expect(simulator.inventory().instances).toHaveLength(1);
    });
  });
});
