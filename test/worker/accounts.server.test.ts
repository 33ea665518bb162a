import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { CREATE } from '../support/worlds/simulated-cloud.js';
import {
  firstKey,
  openAccountsWorld,
  type AccountsWorld,
} from '../support/worlds/accounts-world.js';
import type { WorkerProcess } from '../support/workers/worker-process.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { mostWithin } from '../support/timing/most-within.js';
import { until } from '../support/timing/until.js';

const PLACE = { projectId: 1, regionId: 1 };
/** A blocked run tries again by itself after 48 s at the earliest. */
const SOONER_THAN_BY_ITSELF_MS = 40_000;

let world: AccountsWorld;
let worker: WorkerProcess;

beforeAll(async () => {
  world = await openAccountsWorld({
    blue: { ...PLACE, projects: [1] },
    green: { ...PLACE, requestsPerSecond: 50 },
    grey: PLACE,
    red: { ...PLACE, requestsPerSecond: 1 },
  });
  worker = await world.startWorker();
});

afterAll(async () => {
  await world.close();
});

function newId(): string {
  return randomUUID().slice(0, 8);
}

/** Starts a run that reads the SSH keys of the account. */
async function list(account: string): Promise<string> {
  const request = { requestId: newId(), input: { account } };
  return (await world.gcore.start('listSshKeys', request)).workflowId;
}

/** Starts a run that takes project and region from its account. */
async function provision(account: string, requestId = newId()): Promise<string> {
  const { instance } = provisionInput();
  const request = { requestId, input: { account, instance } };
  return (await world.gcore.start('provisionInstance', request)).workflowId;
}

function resultOfList(workflowId: string): Promise<unknown> {
  return world.gcore.result('listSshKeys', workflowId);
}

async function untilRefused(workflowId: string): Promise<void> {
  await until('the run is blocked', async () => {
    const { blocked } = await world.gcore.status(workflowId);
    return blocked?.type === 'Unauthorized';
  });
}

describe('a worker of several accounts', () => {
  it('calls the API with the key of each, in the project and region of each', async () => {
    const ids = [await provision('blue'), await provision('green')];

    const results = await Promise.all(ids.map((id) => world.gcore.result('provisionInstance', id)));

    expect(results.map(({ status }) => status)).toEqual(['ACTIVE', 'ACTIVE']);
    const creates = world.simulator.mutations().filter(({ path }) => path === CREATE);
    expect(creates.map(({ key }) => key).sort()).toEqual(['blue', 'green']);
  });

  it('refuses a project that is not of the account', async () => {
    const { workflowId } = await world.gcore.start('provisionInstance', {
      requestId: newId(),
      input: { ...provisionInput(), account: 'blue', projectId: 2 },
    });

    const failure: unknown = await world.gcore
      .result('provisionInstance', workflowId)
      .catch((error: unknown) => error);

    expect(failure).toMatchObject({
      type: 'InvalidInput',
      details: { faults: [{ path: 'projectId', message: expect.stringContaining('for 1 only') }] },
    });
  });

  it('keeps the budget of each', async () => {
    const ids = await Promise.all(
      ['red', 'green'].flatMap((account) => Array.from({ length: 12 }, () => list(account))),
    );

    await Promise.all(ids.map(resultOfList));

    const sentBy = (account: string) =>
      world.simulator.requests.filter(({ key }) => key === account).map(({ at }) => at);
    const most = (account: string) => mostWithin(sentBy(account), 4_000);
    expect(most('red')).toBeLessThanOrEqual(5);
    // Side by side: a busy machine slows both down.
    expect(most('green')).toBeGreaterThan(most('red'));
  });

  it('holds back no call of an account because another one gets no answer', async () => {
    world.simulator.faults.add({
      match: { path: '/storage/v4/ssh_keys', userAgent: /list-ssh-keys\/grey\//, times: Infinity },
      action: { kind: 'status', status: 503 },
    });
    const grey = await Promise.all(Array.from({ length: 6 }, () => list('grey')));
    await worker.says('The API does not answer');

    const green = await list('green');
    await resultOfList(green);
    world.simulator.faults.clear();
    await Promise.all(grey.map(resultOfList));

    const outages = worker.lines.filter((line) => line.includes('The API does not answer'));
    expect(outages.map((line) => accountIn(line))).toEqual(['grey']);
  });

  it('blocks only the runs of a revoked key, which go on when its file has another one', async () => {
    world.simulator.keys.revoke('blue');
    const blue = await Promise.all([list('blue'), list('blue'), list('blue')]);
    await Promise.all(blue.map(untilRefused));
    const before = world.simulator.requests.length;
    const urgent = await world.gcore.start('listSshKeys', {
      requestId: newId(),
      input: { account: 'green' },
      urgency: 'incident',
    });
    const green = await Promise.all([list('green'), list('green')]);
    await Promise.all([urgent.workflowId, ...green].map(resultOfList));
    const refused = world.simulator.requests.slice(before).filter(({ status }) => status === 401);

    world.simulator.keys.add('blue', 'canary-of-blue-2');
    const replacedAt = performance.now();
    world.replaceKey('blue', 'canary-of-blue-2');
    await Promise.all(blue.map(resultOfList));
    const tookMs = performance.now() - replacedAt;

    // One probe may have gone out meanwhile.
    expect(refused.length).toBeLessThanOrEqual(1);
    expect(tookMs).toBeLessThan(SOONER_THAN_BY_ITSELF_MS);
    const news = worker.lines.filter((line) => line.includes('The key of the account was'));
    expect(news.map((line) => accountIn(line))).toEqual(['blue']);
    expect(worker.lines.join()).not.toContain('canary-of-');
  });

  it('makes one machine when the key is replaced while the answer of a create is lost', async () => {
    const requestId = newId();
    world.simulator.faults.add({
      match: { method: 'POST', path: CREATE, userAgent: new RegExp(requestId) },
      action: { kind: 'drop-response' },
    });
    const run = await provision('grey', requestId);
    const created = () =>
      world.simulator
        .mutations()
        .filter(({ path, userAgent = '' }) => path === CREATE && userAgent.includes(requestId));
    await until('the create was sent', () => created().length === 1);
    world.simulator.keys.revoke('grey');
    await untilRefused(run);

    world.simulator.keys.add('grey', 'canary-of-grey-2');
    world.replaceKey('grey', 'canary-of-grey-2');
    const { instanceId } = await world.gcore.result('provisionInstance', run);

    const marked = world.simulator
      .inventory()
      .instances.filter(({ tags }) => JSON.stringify(tags).includes(requestId));
    expect(marked.map(({ id }) => id)).toEqual([instanceId]);
    expect(created()).toHaveLength(1);
  });

  it('is checked account by account', async () => {
    world.simulator.keys.revoke('red');

    const doctor = await world.cli('doctor');
    const check = await world.cli('worker', '--check');
    world.simulator.keys.add('red', firstKey('red'));

    expect(doctor.exitCode).toBe(1);
    for (const account of ['blue', 'green', 'grey', 'red']) {
      expect(doctor.stdout).toMatch(new RegExp(`^ok +${account}: workers`, 'm'));
    }
    for (const line of [
      'ok +blue: API key',
      'ok +grey: project +1 exists',
      'fault +red: API key',
    ]) {
      expect(doctor.stdout).toMatch(new RegExp(`^${line}`, 'm'));
    }
    expect(doctor.stdout).toMatch(/write the right key into .*red\/key: running workers take it/);
    expect(check.exitCode).toBe(0);
    expect(check.stdout).toContain('gcore-urgent-grey: ');
    expect(check.stdout.match(/^gcore-workflows: /gm)).toHaveLength(1);
  });
});

function accountIn(line: string): unknown {
  const entry: unknown = JSON.parse(line);
  return entry instanceof Object ? Reflect.get(entry, 'account') : undefined;
}
