import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { createGcoreWorkflows, openCodec } from '../../../src/client/index.js';
import { KEY_BYTES } from '../../../src/codec/key-ring.js';
import { runCaptured } from '../../support/cli/run-captured.js';
import { provisionInput } from '../../support/inputs/provision-input.js';
import { inScenario, type Scenario } from '../../support/runs/scenario.js';
import { testPolicy } from '../../support/runs/test-policy.js';
import { OWN_BUNDLE, writeDivergingBundle } from '../../support/workers/newer-version.js';
import { openWorkers } from '../../support/workers/open-workers.js';
import type { WorkersSpec } from '../../support/workers/test-workers.js';
import { startScript } from '../../support/workers/worker-process.js';
import { problemIn, type Answer, type Seed } from './answers.js';
import { explain, inCloud, startWaiting } from './faulty-runs.js';
import type { UnworkedFault } from './unworked-faults.js';

export const UNWORKED_SEEDS: Record<UnworkedFault, Seed> = {
  runUnknown: (meanwhile) =>
    meanwhile(() => explainByCommand('provision-instance/default/order-of-nobody')),
  queueIdle: startedBeside({ taskQueue: `idle-${randomUUID()}` }),
  runUnserved: startedBeside({ account: `unserved-${randomUUID().slice(0, 8)}` }),
  codeUnfit: (meanwhile) =>
    inScenario({ replays: false, speed: 1 }, async (scenario) => {
      const taskQueue = `unfit-${randomUUID()}`;
      const first = await openWorkers(workersOf(scenario, { taskQueue, codePath: OWN_BUNDLE }));
      const { run, gcore } = await startWaiting({ ...scenario, taskQueue });
      await first.close();
      const codePath = writeDivergingBundle(mkdtempSync(join(tmpdir(), 'diverging-')));
      const next = await openWorkers(workersOf(scenario, { taskQueue, codePath }));
      await gcore.cancel(run.workflowId);
      await meanwhile(() => explain(scenario.client, run.workflowId, { answerWithinMs }));
      await run.terminate();
      await next.close();
    }),
  workerWithoutCodecKey: (meanwhile) =>
    inScenario({ replays: false }, async (scenario) => {
      const { run, codec } = await startEncrypted(scenario);
      await meanwhile(() => explain(scenario.client, run.workflowId, { codec, answerWithinMs }));
      await run.terminate();
    }),
  readerWithoutCodecKey: (meanwhile) =>
    withEncryptedRun((id) => meanwhile(() => explainByCommand(id))),
  readerWithWrongCodecKey: (meanwhile) =>
    withEncryptedRun((id) => {
      const file = join(mkdtempSync(join(tmpdir(), 'ring-')), 'keys.json');
      writeFileSync(file, JSON.stringify(newRing()));
      return meanwhile(async () => {
        const words = ['explain', id, '--address', address()];
        const main = resolve('dist/cli/main.js');
        const { exit, lines } = startScript(main, { GCORE_CODEC_KEYS_FILE: file }, words);
        await exit;
        return [problemIn(lines.join('\n'))];
      });
    }),
};

/** No worker answers for these runs. */
const answerWithinMs = 1_000;

/** A run of an account, or on a queue, that no worker serves. */
function startedBeside(given: { account?: string; taskQueue?: string }): Seed {
  return inCloud({}, async ({ client, taskQueue, account }) => [
    await client.workflow.start('provisionInstance', {
      workflowId: `beside-${randomUUID()}`,
      taskQueue,
      ...given,
      args: [{ ...provisionInput(), account, ...given }],
    }),
  ]);
}

/** An encrypted run that no worker reads, while `use` runs. */
function withEncryptedRun(use: (workflowId: string) => Promise<void>): Promise<void> {
  return inScenario({ replays: false }, async (scenario) => {
    const { run } = await startEncrypted({ ...scenario, taskQueue: `idle-${randomUUID()}` });
    await use(run.workflowId);
    await run.terminate();
  });
}

function newRing() {
  return { current: 'a', keys: { a: randomBytes(KEY_BYTES).toString('base64') } };
}

/** A run of a client that encrypts. */
async function startEncrypted({ client, taskQueue, account }: Scenario) {
  const codec = await openCodec(newRing());
  const { workflowId } = await createGcoreWorkflows({ client, codec, taskQueue }).start(
    'provisionInstance',
    { requestId: randomUUID(), input: { ...provisionInput(), account } },
  );
  return { run: client.workflow.getHandle(workflowId), codec };
}

/** What the command says about a run of the namespace `default`. */
async function explainByCommand(id: string): Promise<Answer[]> {
  const { stderr } = await runCaptured(['explain', id, '--address', address()]);
  return [problemIn(stderr)];
}

/** Workflow workers of this code, beside those of the scenario. */
function workersOf({ api }: Scenario, code: { taskQueue: string; codePath: string }): WorkersSpec {
  return {
    address: address(),
    namespace: 'default',
    sharesWorker: false,
    watches: false,
    ...code,
    prepare: { defaults: {}, policy: testPolicy({ speed: 1 }) },
    account: { name: `other-${randomUUID().slice(0, 8)}`, requestsPerSecond: 1, api },
  };
}

function address(): string {
  return process.env['TEMPORAL_ADDRESS'] ?? 'localhost:7233';
}
