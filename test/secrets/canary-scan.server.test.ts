import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';

import { WORKFLOW_TASK_QUEUE } from '../../src/contract/wire/names.js';
import { createCliWorld, type CliWorld } from '../support/cli/cli-world.js';
import { runCaptured } from '../support/cli/run-captured.js';
import {
  startFastWorker,
  startWorkerProcess,
  type WorkerProcess,
} from '../support/workers/worker-process.js';
import { createSecretsFolder } from '../support/secrets/secrets-folder.js';
import { inBatches } from '../support/timing/in-batches.js';
import { until } from '../support/timing/until.js';
import { toLines } from '../support/worlds/manifests.js';
import { ECHOES, plainCanary, scan, type Document } from './canaries.js';
import {
  apiKey,
  echoCases,
  instance,
  items,
  manifestItems,
  named,
  videos,
  type Case,
} from './echo-cases.js';
import { historyDocuments } from './history-documents.js';
import { clearCalls } from './planted-calls.js';
import { refusedVideos } from './planted-secrets.js';

const inline = refusedVideos();
const calls = clearCalls();
const settings = {
  hosts: plainCanary('GCORE_MANIFEST_HOSTS: password'),
  base: plainCanary('GCORE_BASE_URL: password'),
  key: plainCanary('GCORE_API_KEY with a space'),
};
const urls = {
  query: plainCanary('manifest URL with a line break: query'),
  password: plainCanary('manifest URL: password'),
};
/** Secrets that no history may show anywhere, not even in an input. */
const NAMED = Object.values(named).flatMap(({ canaries }) => canaries);
/** Secrets that the simulated API gets. */
const SENT = [
  apiKey,
  ...[instance, items, manifestItems, videos].flatMap(({ canaries }) => canaries),
  ...NAMED,
];
const REFUSED = [...inline.canaries, ...calls.canaries];
const ALL = [...SENT, ...REFUSED, ...Object.values(settings), ...Object.values(urls)];

let world: CliWorld;
let volumePath: string;
let worker: WorkerProcess;
let client: Client;
let close: () => Promise<void>;
const at = (name: string) => join(world.folder, name);
const scanned: Document[] = [];
const inputs: Document[] = [];
const echoed: Document[] = [];

beforeAll(async () => {
  world = await createCliWorld({ apiKey: apiKey.value });
  writeFileSync(join(world.folder, 'instance.json'), JSON.stringify(instance.input));
  writeFileSync(join(world.folder, 'items.json'), JSON.stringify(items.input));
  writeFileSync(join(world.folder, 'items.jsonl'), toLines(manifestItems.input));
  writeFileSync(join(world.folder, 'videos.jsonl'), toLines(videos.input));
  writeFileSync(join(world.folder, 'inline.jsonl'), toLines(inline.input));
  writeFileSync(at('named-instance.json'), JSON.stringify(named.instance.input));
  writeFileSync(at('named-items.json'), JSON.stringify(named.items.input));
  writeFileSync(at('named-videos.jsonl'), toLines(named.videos.input));
  writeFileSync(at('named-call.json'), JSON.stringify(named.call.input));
  writeFileSync(at('nested-call.json'), JSON.stringify(named.nested.input));
  const found = Object.values(named).map(({ secrets }) => Object.entries(secrets));
  const secretsFolder = createSecretsFolder(Object.fromEntries(found.flat())).path;
  // The other inputs hold theirs in clear.
  process.env['GCORE_CLEAR_SECRETS'] = 'allow';
  const { address, namespace, baseUrl } = world;
  await fetch(`${baseUrl}/fastedge/v1/kv`, {
    method: 'POST',
    headers: { authorization: `apikey ${apiKey.value}` },
    body: JSON.stringify({ name: 'store' }),
  });
  volumePath = await createVolume(world);
  worker = startFastWorker({
    address,
    namespace,
    baseUrl,
    apiKey: apiKey.value,
    manifestRoot: world.folder,
    speed: 100,
    reconcileGraceMs: 300,
    probeMs: 100,
    secretsFolder,
    secretsPolicy: 'allow',
  });
  await worker.says('Worker is ready');
  const connection = await Connection.connect({ address });
  client = new Client({ connection, namespace });
  close = async () => {
    await connection.close();
    worker.child.kill('SIGKILL');
    await world.close();
  };
});

/** The path of a new volume. */
async function createVolume({ baseUrl, simulator }: CliWorld): Promise<string> {
  await fetch(`${baseUrl}/cloud/v1/volumes/1/1`, {
    method: 'POST',
    headers: { authorization: `apikey ${apiKey.value}` },
    body: JSON.stringify({ source: 'new-volume', name: 'named', size: 5 }),
  });
  await until('the volume is there', () => simulator.inventory().volumes.length > 0);
  return `/cloud/v1/volumes/1/1/${simulator.inventory().volumes[0]?.id ?? ''}`;
}

afterAll(async () => {
  await close();
});

/** Lets the API repeat the secrets of the case in this form. */
async function look(one: Case, form: string): Promise<void> {
  const id = `${one.title}-${form}-${randomUUID().slice(0, 4)}`;
  const workflowId = `${one.workflow}/default/${id}`;
  const repeat = ECHOES[form] ?? String;
  const texts = one.canaries.map(repeat);
  one.echo({ userAgent: new RegExp(id) }, texts);
  echoed.push({ name: `${one.title} ${form}`, text: texts.join('\n') });
  await see({ workflowId, id, command: one.command(id) });
  const sent = world.simulator.requests.filter(({ userAgent = '' }) => userAgent.includes(id));
  const kinds = sent.flatMap(({ fault = [] }) => fault);
  expect(kinds.length).toBeGreaterThan(0);
}

interface Seen {
  workflowId: string;
  id: string;
  command: readonly string[];
}

/** Runs the command and keeps everything that a person or a program could see of its run. */
async function see({ workflowId, id, command: first }: Seen): Promise<void> {
  const commands = [
    first,
    ...['status', 'explain', 'result'].map((name) => [name, workflowId]),
    ['explain', workflowId, '--output', 'json'],
  ];
  for (const command of commands) {
    const { stdout, stderr } = await runCaptured([...command, ...world.server]);
    const name = `${command[0] ?? ''} of ${workflowId}`;
    scanned.push(
      { name: `${name}, stdout`, text: stdout },
      { name: `${name}, stderr`, text: stderr },
    );
  }
  if (existsSync(at(`${id}.results`))) {
    scanned.push({ name: `results of ${id}`, text: readFileSync(at(`${id}.results`), 'utf8') });
  }
  const history = await historyDocuments(client, workflowId);
  scanned.push(...history.clean);
  inputs.push(...history.inputs);
}

describe('a secret that the API repeats', () => {
  it.each(Object.keys(ECHOES))(
    '%s shows in no history, failure, status, explanation, result or output',
    async (form) => {
      await Promise.all(echoCases({ ...world, volumePath }).map((one) => look(one, form)));

      expect(scan(scanned, ALL)).toEqual([]);
      expect(scan(inputs, NAMED)).toEqual([]);
    },
  );

  it('that it accepts shows nowhere else either', async () => {
    const runs = echoCases({ ...world, volumePath }).filter(
      ({ title }) => title.startsWith('refused-') && !title.endsWith('-key'),
    );
    // Beside other tests, one worker does not answer a dozen commands in time.
    await inBatches(runs, 3, ({ title, workflow, command }) => {
      const id = title.replace('refused', 'accepted');
      return see({ workflowId: `${workflow}/default/${id}`, id, command: command(id) });
    });

    const ends = scanned.filter(({ name }) => /^status of .*accepted-.*stdout$/.test(name));
    expect(ends.map(({ text }) => text)).toEqual(
      runs.map(() => expect.stringContaining('succeeded')),
    );
    expect(scan(scanned, ALL)).toEqual([]);
  });

  it('is refused without being repeated where it would be stored or is out of place', async () => {
    const { hosts, base, key } = settings;
    const refused = startWorkerProcess({
      GCORE_API_KEY: `${key.value} ${key.value}`,
      GCORE_BASE_URL: `https://user:${base.value}@api.example.test`,
      GCORE_MANIFEST_HOSTS: `files.example.test,https://user:${hosts.value}@files.example.test/`,
    });
    expect(await refused.exit).toBe(64);
    scanned.push({ name: 'refused settings', text: refused.lines.join('\n') });
    const given = [
      at('inline.jsonl'),
      `https://files.example.test/a\n?sig=${urls.query.value}`,
      `https://user:${urls.password.value}@files.example.test/a`,
    ];
    for (const list of given) {
      const { exitCode, stdout, stderr } = await runCaptured(['import', list, ...world.server]);
      expect(exitCode).toBe(64);
      scanned.push({ name: `refused import ${scanned.length}`, text: stdout + stderr });
    }

    expect(scan(scanned, ALL)).toEqual([]);
  });

  it('of a call is refused in clear, and repeated nowhere', async () => {
    const call = { method: 'PATCH', path: volumePath };
    await inBatches(calls.input, 3, async (body) => {
      const id = `clear-${randomUUID().slice(0, 8)}`;
      writeFileSync(at(`${id}.json`), JSON.stringify(body));
      const args = ['call', 'PATCH', call.path, '--body', at(`${id}.json`), '--request-id', id];
      const { exitCode, stdout, stderr } = await runCaptured([...args, ...world.server]);
      expect(exitCode).toBe(64);
      scanned.push({ name: `refused call ${Object.keys(body)[0] ?? ''}`, text: stdout + stderr });
    });
    // A client in another language checks nothing, so the history has the input, and nothing else.
    const workflowId = `call-api/default/${randomUUID()}`;
    const body = Object.fromEntries(calls.input.flatMap((one) => Object.entries(one)));
    const options = { workflowId, taskQueue: WORKFLOW_TASK_QUEUE, args: [{ ...call, body }] };
    const run = await client.workflow.start('callApi', options);
    await expect(run.result()).rejects.toThrow();
    scanned.push(...(await historyDocuments(client, workflowId)).clean);

    expect(
      world.simulator.requests.filter(({ userAgent = '' }) => userAgent.includes('clear-')),
    ).toEqual([]);
    expect(scan(scanned, ALL)).toEqual([]);
  });

  it('is found where it may be, so the scan sees it', () => {
    const found = scan(inputs, ALL);

    const given = [...instance.canaries, ...items.canaries];
    expect(
      given.filter(({ place }) => !found.some((hit) => hit.startsWith(`${place} in `))),
    ).toEqual([]);
  });

  it('would be found in each form that the API repeats', () => {
    for (const form of Object.keys(ECHOES)) {
      const found = scan(
        echoed.filter(({ name }) => name.endsWith(` ${form}`)),
        ALL,
      );
      expect(new Set(found.map((hit) => hit.split(' in ')[0])).size).toBe(SENT.length);
    }
  });

  it('shows in no log and no list', async () => {
    const list = await runCaptured(['list', '--limit', '100', ...world.server]);
    scanned.push({ name: 'list', text: list.stdout + list.stderr });
    scanned.push(...worker.lines.map((text, at) => ({ name: `log line ${at + 1}`, text })));

    expect(worker.lines.join('\n')).toContain('createInstance');
    expect(scan(scanned, ALL)).toEqual([]);
    const places = new Set(ALL.map(({ place }) => place)).size;
    process.stderr.write(`canary scan: ${places} secrets, ${scanned.length} documents, 0 hits\n`);
  });
});
