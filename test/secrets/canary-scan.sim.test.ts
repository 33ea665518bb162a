import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { WORKFLOW_TASK_QUEUE } from '../../src/contract/wire/names.js';
import { createLogger } from '../../src/observe/logger.js';
import { inSimulatedScenario, TEMPORAL_ADDRESS, type Scenario } from '../simulation/scenario.js';
import { runCaptured } from '../support/cli/run-captured.js';
import { createSecretsFolder } from '../support/secrets/secrets-folder.js';
import { until } from '../support/timing/until.js';
import { startWorkerProcess } from '../support/workers/worker-process.js';
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
  type Folder,
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

const scanned: Document[] = [];
const inputs: Document[] = [];
const echoed: Document[] = [];

const folder = mkdtempSync(join(tmpdir(), 'canaries-'));
const at = (name: string) => join(folder, name);
writeFileSync(at('instance.json'), JSON.stringify(instance.input));
writeFileSync(at('items.json'), JSON.stringify(items.input));
writeFileSync(at('inline.jsonl'), toLines(inline.input));
writeFileSync(at('named-instance.json'), JSON.stringify(named.instance.input));
writeFileSync(at('named-items.json'), JSON.stringify(named.items.input));
writeFileSync(at('named-videos.jsonl'), toLines(named.videos.input));
writeFileSync(at('named-call.json'), JSON.stringify(named.call.input));
writeFileSync(at('nested-call.json'), JSON.stringify(named.nested.input));
const found = Object.values(named).map(({ secrets }) => Object.entries(secrets));
const secretsFolder = createSecretsFolder(Object.fromEntries(found.flat())).path;
const OPTIONS = {
  account: 'default',
  apiKey: apiKey.value,
  manifests: { 'items.jsonl': manifestItems.input, 'videos.jsonl': videos.input },
  secretsFolder,
  secretsPolicy: 'allow',
} as const;

let judged = 0;

/** What is found in what was seen since it was last asked. */
function leaks(): string[] {
  const fresh = scanned.slice(judged);
  judged = scanned.length;
  return scan(fresh, ALL);
}

interface World extends Folder {
  scenario: Scenario;
}

/** A worker with a log, a store and a volume. What the log and the lists say is kept. */
function inWorld(use: (world: World) => Promise<void>): Promise<void> {
  // The inputs that name nothing hold their secrets in clear.
  process.env['GCORE_CLEAR_SECRETS'] = 'allow';
  const lines: string[] = [];
  const logger = createLogger('INFO', (line) => lines.push(line));
  return inSimulatedScenario({ ...OPTIONS, logger }, async (scenario) => {
    const { simulator } = scenario;
    await send(scenario, '/fastedge/v1/kv', { name: 'store' });
    const volume = { source: 'new-volume', name: 'named', size: 5 };
    await send(scenario, '/cloud/v1/volumes/1/1', volume);
    await until('the volume is there', () => simulator.inventory().volumes.length > 0);
    const volumePath = `/cloud/v1/volumes/1/1/${simulator.inventory().volumes[0]?.id ?? ''}`;
    await use({ folder, simulator, volumePath, scenario });
    const list = await run('list', '--limit', '100');
    scanned.push({ name: 'list', text: list.stdout + list.stderr });
    scanned.push(...lines.map((text, index) => ({ name: `log line ${index + 1}`, text })));
  });
}

async function send({ api }: Scenario, path: string, body: object): Promise<void> {
  await fetch(`${api.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `apikey ${api.apiKey}` },
    body: JSON.stringify(body),
  });
}

function run(...command: string[]) {
  return runCaptured([...command, '--address', TEMPORAL_ADDRESS]);
}

/** Lets the API repeat the secrets of the case in this form. */
async function look({ scenario }: World, one: Case, form: string): Promise<void> {
  const id = `${one.title}-${form}-${randomUUID().slice(0, 4)}`;
  const workflowId = `${one.workflow}/default/${id}`;
  const repeat = ECHOES[form] ?? String;
  const texts = one.canaries.map(repeat);
  one.echo({ userAgent: new RegExp(id) }, texts);
  echoed.push({ name: `${one.title} ${form}`, text: texts.join('\n') });
  await see(scenario, { workflowId, id, command: one.command(id) });
  const sent = scenario.simulator.requests.filter(({ userAgent = '' }) => userAgent.includes(id));
  const kinds = sent.flatMap(({ fault = [] }) => fault);
  expect(kinds.length).toBeGreaterThan(0);
}

interface Seen {
  workflowId: string;
  id: string;
  command: readonly string[];
}

/** Runs the command and keeps everything that a person or a program could see of its run. */
async function see({ client }: Scenario, { workflowId, id, command: first }: Seen): Promise<void> {
  const commands = [
    first,
    ...['status', 'explain', 'result'].map((name) => [name, workflowId]),
    ['explain', workflowId, '--output', 'json'],
  ];
  for (const command of commands) {
    const { stdout, stderr } = await run(...command);
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
    '%s shows in no history, failure, status, explanation, result, log, list or output',
    async (form) => {
      await inWorld(async (world) => {
        await Promise.all(echoCases(world).map((one) => look(world, one, form)));
      });

      expect(leaks()).toEqual([]);
      expect(scan(inputs, NAMED)).toEqual([]);
    },
  );

  it('that it accepts shows nowhere else either', async () => {
    await inWorld(async (world) => {
      const runs = echoCases(world).filter(
        ({ title }) => title.startsWith('refused-') && !title.endsWith('-key'),
      );
      await Promise.all(
        runs.map(({ title, workflow, command }) => {
          const id = title.replace('refused', 'accepted');
          return see(world.scenario, {
            workflowId: `${workflow}/default/${id}`,
            id,
            command: command(id),
          });
        }),
      );

      const ends = scanned.filter(({ name }) => /^status of .*accepted-.*stdout$/.test(name));
      expect(ends.map(({ text }) => text)).toEqual(
        runs.map(() => expect.stringContaining('succeeded')),
      );
    });

    expect(leaks()).toEqual([]);
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
    await inWorld(async () => {
      for (const list of given) {
        const { exitCode, stdout, stderr } = await run('import', list);
        expect(exitCode).toBe(64);
        scanned.push({ name: `refused import ${scanned.length}`, text: stdout + stderr });
      }
    });

    expect(leaks()).toEqual([]);
  });

  it('of a call is refused in clear, and repeated nowhere', async () => {
    await inWorld(async ({ scenario: { client, simulator }, volumePath: path }) => {
      for (const body of calls.input) {
        const id = `clear-${randomUUID().slice(0, 8)}`;
        writeFileSync(at(`${id}.json`), JSON.stringify(body));
        const more = ['--body', at(`${id}.json`), '--request-id', id];
        const { exitCode, stdout, stderr } = await run('call', 'PATCH', path, ...more);
        expect(exitCode).toBe(64);
        scanned.push({ name: `refused call ${Object.keys(body)[0] ?? ''}`, text: stdout + stderr });
      }
      // A client in another language checks nothing, so the history has the input, and nothing else.
      const workflowId = `call-api/default/${randomUUID()}`;
      const body = Object.fromEntries(calls.input.flatMap((one) => Object.entries(one)));
      const args = [{ method: 'PATCH', path, body }];
      const raw = await client.workflow.start('callApi', {
        workflowId,
        taskQueue: WORKFLOW_TASK_QUEUE,
        args,
      });
      await expect(raw.result()).rejects.toThrow();
      scanned.push(...(await historyDocuments(client, workflowId)).clean);

      expect(
        simulator.requests.filter(({ userAgent = '' }) => userAgent.includes('clear-')),
      ).toEqual([]);
    });

    expect(leaks()).toEqual([]);
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

  it('would have been seen: the documents hold the log and the lists of all runs', () => {
    const texts = (kind: string) => scanned.filter(({ name }) => name.startsWith(kind));

    expect(texts('log line').some(({ text }) => text.includes('createInstance'))).toBe(true);
    expect(texts('list').some(({ text }) => text.includes('refused-instance'))).toBe(true);
  });
});
