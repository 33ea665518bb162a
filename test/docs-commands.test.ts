import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from '@jest/globals';

import { PUBLIC_KEY } from './support/worlds/ssh-keys.js';
import { Operation } from '../src/contract/index.js';
import { runCaptured } from './support/cli/run-captured.js';

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('decisions'))
    .map((name) => join('docs', name)),
];

/** Commands in blocks of shell, and those inside a text. */
function commandsOf(page: string): string[] {
  const text = readFileSync(page, 'utf8').replaceAll(/\\\n\s*/g, '');
  const blocks = [...text.matchAll(/^```(?:sh|bash|console)\n(.*?)^```/gms)];
  const lines = blocks.flatMap(([, block = '']) => block.split('\n'));
  const prose = text.replaceAll(/^```.*?^```/gms, '');
  const inline = [...prose.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
  return [...lines, ...inline].flatMap(toCommand);
}

function toCommand(line: string): string[] {
  const [, command = ''] = /^(?:\$ )?\.\/gcore-workflows (.+)$/.exec(line) ?? [];
  const [first = ''] = command.split(/ [|<>&;]|\s+#|, …/);
  return /^[a-z]/.test(first) && !first.includes('…') ? [first.replaceAll(/[[\]](?!\d)/g, '')] : [];
}

function toWords(command: string): string[] {
  return (command.match(/(?:[^\s'"]+|'[^']*'|"[^"]*")+/g) ?? []).map((word) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'),
  );
}

// A fault that each command finds when it is about to connect.
process.env['TEMPORAL_TLS'] = 'perhaps';

const folder = mkdtempSync(join(tmpdir(), 'docs-commands-'));
writeFileSync(join(folder, 'secret'), `whsec_${'c2VjcmV0'.repeat(4)}`);

const failedLine = {
  line: 1,
  id: 7,
  outcome: 'failed',
  class: 'origin-forbidden',
  text: 'Forbidden',
};
const IDS = [1, 2].map((of) => `0000000${of}-0000-4000-8000-000000000001`);
writeFileSync(join(folder, 'ids.txt'), IDS.join('\n'));
writeFileSync(
  join(folder, 'ids.jsonl'),
  IDS.map((instanceId) => JSON.stringify({ instanceId })).join('\n'),
);
writeFileSync(join(folder, 'addresses.jsonl'), '{"address":"203.0.113.7"}\n');
writeFileSync(
  join(folder, 'keys.jsonl'),
  JSON.stringify({ name: 'ingest', publicKey: PUBLIC_KEY }),
);
writeFileSync(
  join(folder, 'storages.jsonl'),
  JSON.stringify({ storageId: 7, password: { $secret: 'films-sftp' } }),
);
writeFileSync(join(folder, 'stores.jsonl'), JSON.stringify({ name: 'redirects' }));
const VIDEO = { videoId: 7 };
const SUBTITLES = { name: 'English', language: 'eng', vtt: 'WEBVTT\n' };
writeFileSync(join(folder, 'video-ids.jsonl'), JSON.stringify(VIDEO));
writeFileSync(join(folder, 'titles.jsonl'), JSON.stringify({ ...VIDEO, name: 'Interview 7' }));
writeFileSync(join(folder, 'subtitles.jsonl'), JSON.stringify({ ...VIDEO, ...SUBTITLES }));
writeFileSync(join(folder, 'english.vtt'), SUBTITLES.vtt);
const VOLUME = '/cloud/v1/volumes/1/1/1d5b3f2e-6c8a-4a53-9c2b-6f0d6f2c7f11';
const RENAMED = { path: VOLUME, pointer: '/name', equals: 'archive' };
const CALL = { method: 'PATCH', path: VOLUME, body: { name: 'archive' }, look: RENAMED };
writeFileSync(join(folder, 'call.json'), JSON.stringify(CALL));
writeFileSync(join(folder, 'rename.json'), JSON.stringify(CALL.body));
writeFileSync(join(folder, 'renamed.json'), JSON.stringify(RENAMED));
writeFileSync(join(folder, 'done.jsonl'), `${JSON.stringify(failedLine)}\n`);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Files that a reader has, by the names in the pages. */
const FILES: Readonly<Record<string, string>> = {
  $KEY: PUBLIC_KEY,
  'keys.jsonl': join(folder, 'keys.jsonl'),
  'stores.jsonl': join(folder, 'stores.jsonl'),
  'storages.jsonl': join(folder, 'storages.jsonl'),
  'video-ids.jsonl': join(folder, 'video-ids.jsonl'),
  'titles.jsonl': join(folder, 'titles.jsonl'),
  'subtitles.jsonl': join(folder, 'subtitles.jsonl'),
  'english.vtt': join(folder, 'english.vtt'),
  'call.json': join(folder, 'call.json'),
  'rename.json': join(folder, 'rename.json'),
  'renamed.json': join(folder, 'renamed.json'),
  'instance.json': 'examples/provision-instance.json',
  'protect.json': 'examples/protect-ip.json',
  'access.json': 'examples/grant-sftp-access.json',
  'import.json': 'examples/import-videos.json',
  'items.json': 'examples/kv-items.json',
  'videos.jsonl': 'examples/videos.jsonl',
  'replace.json': 'examples/replace-instance.json',
  'fleet.json': 'examples/run-batch.json',
  'fleet.jsonl': 'examples/fleet.jsonl',
  'addresses.txt': 'examples/addresses.txt',
  'ids.txt': join(folder, 'ids.txt'),
  'ids.jsonl': join(folder, 'ids.jsonl'),
  'addresses.jsonl': join(folder, 'addresses.jsonl'),
  'keys.json': join(folder, 'keys.json'),
  'tokens.json': join(folder, 'tokens.json'),
  'done.jsonl': join(folder, 'done.jsonl'),
  alerts: join(folder, 'secret'),
};

/** An input of the operation that the command names. */
function inputOf(words: readonly string[]): string {
  const operation = Object.values(Operation).find((name) => words.includes(name));
  return `examples/${operation === 'modifyKvStore' ? 'kv-refresh' : toKebab(operation)}.json`;
}

function toKebab(operation = 'provisionInstance'): string {
  return operation.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function fillIn(words: readonly string[]): string[] {
  return words.map((word, at) => {
    if (word === 'FILE') return inputOf(words);
    if (word === 'NAME' && words[at - 1] === '--operation') return 'importVideos';
    return FILES[word] ?? word;
  });
}

const commands = [...new Set(PAGES.flatMap(commandsOf))].sort();

/** What becomes of a command that understands its words, reads its input and then may not connect. */
async function outcomeOf(words: readonly string[]): Promise<string> {
  // Ends what would listen for ever.
  const interrupt = new AbortController();
  setTimeout(() => {
    interrupt.abort();
  }, 500);
  const { stderr } = await runCaptured([...words], { interrupt });
  const [, type = 'none', text = ''] = /^Error: (\w+): (.*)$/m.exec(stderr) ?? [];
  return type === 'Usage' || type === 'InvalidInput' ? `${type}: ${text}` : 'understood';
}

describe('the commands of the documentation', () => {
  it('are seen by this test', () => {
    expect(commands.length).toBeGreaterThan(60);
  });

  it('have one form: the launcher of the checkout', () => {
    const names = [...new Set(commands.map((command) => toWords(command)[0] ?? ''))];
    const others = new RegExp(`(?<![\\w./-])gcore-workflows (?:${names.join('|')}) `);
    // In a container it is installed.
    const found = PAGES.flatMap((page) => readFileSync(page, 'utf8').split('\n')).filter(
      (line) => others.test(`${line} `) && !/docker (?:run|compose exec) /.test(line),
    );

    expect(found).toEqual([]);
  });

  it.each(commands)('gcore-workflows %s', async (command) => {
    const { stdout } = await runCaptured([...toWords(command), '--help']);
    // A text may name a command without all that it needs.
    const isName = `${stdout.split('\n')[0] ?? ''} `.startsWith(
      `Usage: gcore-workflows ${command} `,
    );

    expect(isName ? 'understood' : await outcomeOf(fillIn(toWords(command)))).toBe('understood');
  });

  it('would not be understood with an option that does not exist', async () => {
    expect(await outcomeOf(['status', 'order-4711', '--nowhere'])).toContain('Usage');
  });
});
