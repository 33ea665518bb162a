import { resumeUpdate } from '../../../src/engine/core/messages.js';
import { webhooksIdFor } from '../../../src/engine/core/names.js';
import { DEFAULT_POLL_POLICY } from '../../../src/contract/wire/tasks.js';
import { scalePollPolicy } from '../../../src/engine/core/run-policy.js';
import { CREATE_PATH, provisionInput } from '../../support/inputs/provision-input.js';
import { untilBlocked } from '../../support/runs/until-blocked.js';
import { createSecretsFolder } from '../../support/secrets/secrets-folder.js';
import { until } from '../../support/timing/until.js';
import { withReceiver } from '../../support/webhooks/receiver.js';
import { firstRunIdOf, QUOTA } from '../../support/webhooks/while-told.js';
import { DATA_PATH, kvInput, stateWithStores } from '../../support/worlds/kv-stores.js';
import { BATCH, manyVideos, video } from '../../support/worlds/videos.js';
import type { Seed } from './answers.js';
import { CREATE, inCloud, provision, provisioning, startWaiting } from './faulty-runs.js';
import type { ExplainFault } from './explain-faults.js';
import { UNWORKED_SEEDS } from './unworked-seeds.js';

const refused = (status: number, message: string) =>
  ({ kind: 'status', status, body: { message } }) as const;
const NO_RIGHT = refused(403, 'You have no permission for this');
const ANYTHING = { path: /./ };

/** A run whose receiver of webhooks answers like this. */
const toldTo =
  (status: number, isBlocked: boolean): Seed =>
  (meanwhile) =>
    withReceiver(async (receiver) => {
      receiver.answerWith(status);
      const notify = [{ url: receiver.url, secretName: 'test' }];
      await inCloud({ webhooks: receiver.settings }, async (scenario) => {
        if (isBlocked) scenario.simulator.faults.add(QUOTA);
        const run = await provision(scenario, provisionInput({}, { notify }));
        if (!isBlocked) await run.result();
        const { client } = scenario;
        const delivery = webhooksIdFor(run.workflowId, await firstRunIdOf(client, run.workflowId));
        return [run, client.workflow.getHandle(delivery)];
      })(meanwhile);
    });

/** An import of a manifest that changes while the API does not take its videos. */
const manifestChanged = inCloud(
  { manifests: { 'a.jsonl': manyVideos(3) } },
  async ({ simulator, start, writeManifest }) => {
    simulator.faults.add({ match: { ...BATCH, times: Infinity }, action: NO_RIGHT });
    const run = await start('importVideos', { manifest: { url: 'file:a.jsonl' } });
    await untilBlocked(run, 'Unauthorized');
    writeManifest('a.jsonl', manyVideos(4).slice(1));
    simulator.faults.clear();
    await run.executeUpdate(resumeUpdate, { args: [{}] });
    return [run];
  },
);

export const EXPLAIN_SEEDS: Record<ExplainFault, Seed> = {
  ...UNWORKED_SEEDS,
  runRefusedKey: inCloud({}, async (scenario) => {
    scenario.simulator.keys.revoke('default');
    return [await provision(scenario)];
  }),
  runLacksRight: provisioning({ action: NO_RIGHT }),
  outage: provisioning({ match: ANYTHING, action: { kind: 'status', status: 503 } }),
  breakerOpen: inCloud({ breakers: { probeMs: 60_000 } }, async (scenario) => {
    const { faults } = scenario.simulator;
    faults.add({
      match: { ...ANYTHING, times: Infinity },
      action: { kind: 'status', status: 503 },
    });
    const others = await Promise.all(Array.from({ length: 5 }, () => provision(scenario)));
    return [await provision(scenario), ...others];
  }),
  unreachable: inCloud({}, async (scenario) => {
    await scenario.setListening(false);
    return [await provision(scenario)];
  }),
  rateLimited: provisioning({ match: ANYTHING, action: { kind: 'rate-limit', perSecond: 0.1 } }),
  quota: provisioning(QUOTA),
  soldOut: provisioning({ action: refused(403, 'g2-standard-2-4 is sold out in this region') }),
  secretMissing: inCloud({ secretsFolder: createSecretsFolder({}).path }, async (scenario) => {
    const password = { $secret: 'web', key: 'password' };
    return [await provision(scenario, provisionInput({ password }))];
  }),
  paused: inCloud({ speed: 1 }, async (scenario) => {
    const { run, gcore } = await startWaiting(scenario);
    await gcore.as('anna@ops').pause(run.workflowId);
    return [run];
  }),
  turnHeld: inCloud({ state: stateWithStores() }, async ({ simulator, start, account }) => {
    simulator.faults.add({
      match: { method: 'PUT', path: DATA_PATH, times: Infinity },
      action: { kind: 'status', status: 401 },
    });
    const holder = await start('modifyKvStore', kvInput(), `the-holder-${account}`);
    await untilBlocked(holder, 'Unauthorized');
    return [await start('modifyKvStore', kvInput()), holder];
  }),
  outcomeUnknown: inCloud({}, async (scenario) => {
    const { simulator, api } = scenario;
    // Somebody repeats the call by hand before the first look after the lost answer succeeds.
    simulator.faults.add({
      match: { method: 'GET', path: '/cloud/v1/instances/1/1', nth: 3 },
      action: { kind: 'status', status: 503, retryAfter: '1' },
    });
    simulator.faults.add({ match: CREATE, action: { kind: 'drop-response' } });
    const run = await provision(scenario);
    await until('the call has been made', () => simulator.inventory().instances.length === 1);
    const tags = { 'workflow-request': `default/${run.workflowId}` };
    await fetch(`${api.baseUrl}${CREATE_PATH}`, {
      method: 'POST',
      headers: { authorization: `apikey ${api.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...provisionInput().instance, tags }),
    });
    return [run];
  }),
  removalBlocked: inCloud({}, async (scenario) => {
    const { simulator } = scenario;
    simulator.faults.add({
      match: CREATE,
      action: { kind: 'task-error', error: 'internal error', leftovers: 'instance' },
    });
    simulator.faults.add({
      match: { method: 'DELETE', path: /\/instances\//, times: Infinity },
      action: { kind: 'status', status: 409 },
    });
    return [await provision(scenario)];
  }),
  taskFailed: provisioning({ action: { kind: 'task-error', error: 'The host has burnt down' } }),
  taskSlow: inCloud(
    { speed: 1, policy: { poll: scalePollPolicy(DEFAULT_POLL_POLICY, 1 / 1_000) } },
    async (scenario) => [(await startWaiting(scenario)).run],
  ),
  requestRefused: provisioning({ action: refused(400, 'Flavor g9 is not known') }),
  manifestUnreadable: inCloud({ manifests: {} }, async ({ start }) => [
    await start('importVideos', { manifest: { url: 'file:gone.jsonl' } }),
  ]),
  manifestChanged,
  videosFailed: inCloud({}, async ({ start }) => {
    const videos = [video('a', 'broken'), video('b', 'broken')];
    return [await start('importVideos', { videos })];
  }),
  receiverRefuses: toldTo(500, false),
  receiverGone: toldTo(410, true),
  terminated: inCloud({ speed: 1 }, async (scenario) => {
    const { run } = await startWaiting(scenario);
    await run.terminate('wrong button');
    return [run];
  }),
};

/** A run that waits for its task as usual. */
export const NOTHING_WRONG: Seed = inCloud({ speed: 1 }, async (scenario) => [
  (await startWaiting(scenario)).run,
]);
