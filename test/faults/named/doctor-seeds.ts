import { randomUUID } from 'node:crypto';
import { appendFileSync, copyFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { z } from 'zod';

import { freePort } from '../../../src/dev/temporal-ports.js';
import { createSimulator, type FaultAction } from '../../../src/simulator/index.js';
import { checkApi, ownBuilds } from '../../../src/worker/check-api.js';
import type { Services } from '../../../src/cli/services.js';
import { runCaptured } from '../../support/cli/run-captured.js';
import { openLine } from '../../support/http/open-line.js';
import { startScript } from '../../support/workers/worker-process.js';
import type { Answer, Seed } from './answers.js';
import { DOCTOR_WORLDS, KEY } from './doctor-worlds.js';
import type { DoctorFault } from './doctor-faults.js';

const reportSchema = z.object({
  checks: z.array(
    z.object({
      name: z.string(),
      state: z.string(),
      text: z.string(),
      advice: z.string().default(''),
    }),
  ),
});

/** The faults in what `doctor --json` prints. */
function faultsIn(stdout: string): Answer[] {
  const { checks } = reportSchema.parse(JSON.parse(stdout));
  return checks
    .filter(({ state }) => state === 'fault')
    .map(({ name, text, advice }) => ({ says: `${name}: ${text}`, todo: advice }));
}

interface Given {
  server?: string[];
  /** Beside the right key. */
  environment?: Record<string, string>;
  options?: string[];
  services?: Partial<Services>;
}

/** Runs `doctor` as beside a worker with these settings; by default all is well. */
export async function doctor(given: Given): Promise<Answer[]> {
  const { healthy } = await DOCTOR_WORLDS.open();
  const { server = healthy.server, options = [] } = given;
  const environment = {
    GCORE_API_KEY: KEY,
    GCORE_BASE_URL: healthy.baseUrl,
    GCORE_CLOUD_PROJECT_ID: '1',
    GCORE_CLOUD_REGION_ID: '1',
    ...given.environment,
  };
  const services = {
    checkApi: (account?: string) => checkApi(environment, account),
    ownBuilds: () => ownBuilds([resolve('dist/workflow-bundle.js')]),
    ...given.services,
  };
  const { stdout } = await runCaptured(['doctor', '--json', ...options, ...server], { services });
  return faultsIn(stdout);
}

/** A machine with these settings. */
const settings =
  (environment: Record<string, string>): Seed =>
  (meanwhile) =>
    meanwhile(() => doctor({ environment }));

/** An API that answers the list of projects with this. */
const answering =
  (action: FaultAction): Seed =>
  async (meanwhile) => {
    const simulator = createSimulator({ apiKey: KEY });
    const api = await simulator.listen();
    simulator.faults.add({ match: { path: '/cloud/v1/projects', times: Infinity }, action });
    try {
      await meanwhile(() => doctor({ environment: { GCORE_BASE_URL: api.url } }));
    } finally {
      await api.close();
    }
  };

/** The command as an own process: it reads its settings from its environment. */
const asProcess =
  (environment: Record<string, string>): Seed =>
  async (meanwhile) => {
    const { healthy } = await DOCTOR_WORLDS.open();
    await meanwhile(async () => {
      const words = ['doctor', '--json', ...healthy.server];
      const child = startScript(resolve('dist/cli/main.js'), environment, words);
      await child.exit;
      return faultsIn(child.printed.join('\n'));
    });
  };

/** Longer than a name may be, so no server is asked for it. */
const LONG_LABEL = 'a'.repeat(64);
const FIVE_MINUTES = 300_000;

export const DOCTOR_SEEDS: Record<DoctorFault, Seed> = {
  temporalAway: async (meanwhile) => {
    const server = ['--address', `127.0.0.1:${await freePort()}`];
    await meanwhile(() => doctor({ server }));
  },
  namespaceMissing: async (meanwhile) => {
    const { healthy } = await DOCTOR_WORLDS.open();
    const namespace = `nowhere-${randomUUID().slice(0, 8)}`;
    await meanwhile(() =>
      doctor({ server: ['--address', healthy.address, '--namespace', namespace] }),
    );
  },
  attributesMissing: async (meanwhile) => {
    const { bare } = await DOCTOR_WORLDS.open();
    await meanwhile(() => doctor({ server: bare.server }));
  },
  noWorker: async (meanwhile) => {
    const { bare } = await DOCTOR_WORLDS.open();
    await meanwhile(() => doctor({ server: bare.server }));
  },
  accountUnserved: (meanwhile) => meanwhile(() => doctor({ options: ['--account', 'blue'] })),
  otherCode: async (meanwhile) => {
    const { healthy } = await DOCTOR_WORLDS.open();
    const code = join(healthy.folder, 'next-version.js');
    copyFileSync(resolve('dist/workflow-bundle.js'), code);
    appendFileSync(code, '// One line more.\n');
    await meanwhile(() => doctor({ services: { ownBuilds: () => ownBuilds([code]) } }));
  },
  keyRefused: settings({ GCORE_API_KEY: 'revoked' }),
  rightLacking: answering({
    kind: 'status',
    status: 403,
    body: { message: 'You have no permission to list projects' },
  }),
  addressUnreachable: async (meanwhile) => {
    const url = `http://127.0.0.1:${await freePort()}`;
    await settings({ GCORE_BASE_URL: url })(meanwhile);
  },
  nameUnknown: settings({ GCORE_BASE_URL: `https://${LONG_LABEL}.invalid` }),
  apiDown: answering({ kind: 'status', status: 503 }),
  apiBusy: answering({ kind: 'status', status: 429 }),
  clockSkew: async (meanwhile) => {
    const { healthy } = await DOCTOR_WORLDS.open();
    const line = await openLine(healthy.baseUrl, async (request) => {
      const { status, body, headers } = await fetch(request);
      const late = new Headers(headers);
      late.set('date', new Date(Date.now() + FIVE_MINUTES).toUTCString());
      late.delete('content-encoding');
      return new Response(body, { status, headers: late });
    });
    try {
      await settings({ GCORE_BASE_URL: line.url })(meanwhile);
    } finally {
      await line.close();
    }
  },
  projectUnknown: settings({ GCORE_CLOUD_PROJECT_ID: '77' }),
  regionUnknown: settings({ GCORE_CLOUD_REGION_ID: '88' }),
  accountsFileFaulty: async (meanwhile) => {
    const { healthy } = await DOCTOR_WORLDS.open();
    const file = healthy.writeFile('accounts.json', {
      accounts: { blue: { keyFile: '/nowhere' } },
    });
    await asProcess({ GCORE_ACCOUNTS_FILE: file })(meanwhile);
  },
  keyRingFaulty: asProcess({ GCORE_API_KEY: KEY, GCORE_CODEC_KEYS_FILE: '/nowhere' }),
};
