import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { CliError } from '../../../src/cli/cli-error.js';
import { checkListed } from '../../../src/cli/input/listed-input.js';
import { readList } from '../../../src/cli/input/read-list.js';
import { Operation } from '../../../src/contract/index.js';

const operation = Operation.importVideos;
const video = (name: string) => ({ name, origin_url: `https://files.example.com/${name}.mp4` });
const line = (name: string) => JSON.stringify(video(name));

/** Reads a text from stdin. */
const listOf = (text: string) =>
  readList('-', { readStdin: () => Promise.resolve(new TextEncoder().encode(text)) });

async function checked(text: string): Promise<unknown> {
  return checkListed({ operation, list: await listOf(text), input: { canary: 1 } });
}

async function faultsOf(text: string): Promise<unknown> {
  const error: unknown = await checked(text).catch((thrown: unknown) => thrown);
  if (!(error instanceof CliError)) throw error;
  return error.problem.faults;
}

describe('a list of a file', () => {
  it.each([
    ['JSON Lines', `${line('a')}\n${line('b')}\n`],
    ['JSON Lines of Windows, without a last end', `${line('a')}\r\n${line('b')}`],
    [
      'JSON Lines of Windows with empty lines at the end',
      `${line('a')}\r\n${line('b')}\r\n\r\n\r\n`,
    ],
    ['a JSON array', JSON.stringify([video('a'), video('b')], null, 2)],
    ['a JSON array after white space', ` \n[${line('a')},${line('b')}]`],
  ])('may be %s', async (_, text) => {
    expect(await checked(text)).toEqual({ videos: [video('a'), video('b')], canary: 1 });
  });

  it.each([line('a'), `${line('a')}\n`, JSON.stringify(video('a'), null, 2)])(
    'may be one object: %j',
    async (text) => {
      expect(await checked(text)).toEqual({ videos: [video('a')], canary: 1 });
    },
  );

  it('names the lines of all faults, also beside lines that are no JSON', async () => {
    const lines = [line('a'), '{"name": "b",', line('c'), '{"name": 7}', '', line('f')];

    expect(await faultsOf(lines.join('\n'))).toEqual([
      { path: 'stdin:2', message: expect.stringContaining('is not JSON') },
      { path: 'stdin:5', message: 'is empty: remove it' },
      { path: 'stdin:4', message: expect.stringMatching(/^name /) },
    ]);
  });

  it.each([
    ['CSV', 'name,origin_url\na,https://files.example.com/a.mp4\n'],
    ['CSV of one line', 'name;origin_url'],
    ['YAML', '- name: a\n- name: b\n'],
    ['nothing', ' \n'],
  ])('says what a list looks like, and how CSV becomes one: %s', async (_, text) => {
    const message = expect.stringMatching(
      /^is no list: it must have one object a line.*CSV.*python3/,
    );

    expect(await faultsOf(text)).toEqual([{ path: 'stdin', message }]);
  });

  it('comes from CSV by the command that it names', async () => {
    const [fault] = (await listOf('name,origin_url')).faults;
    const command = /with: (python3 .*) < list\.csv/.exec(fault?.message ?? '')?.[1] ?? '';
    const csv = 'name,origin_url\r\n"a, b",https://files.example.com/a.mp4\r\n';
    const { stdout } = spawnSync('sh', ['-c', command], { input: csv, encoding: 'utf8' });

    expect(await checked(stdout)).toEqual({
      videos: [{ name: 'a, b', origin_url: 'https://files.example.com/a.mp4' }],
      canary: 1,
    });
  });

  it('names the place in an array', async () => {
    expect(await faultsOf(`[${line('a')}, {"name": 7}]`)).toContainEqual({
      path: 'videos[1].name',
      message: expect.any(String),
    });
  });

  it('counts what it does not name', async () => {
    const faults = await faultsOf(Array.from({ length: 50 }, () => '{').join('\n'));

    expect(faults).toHaveLength(21);
    expect(faults).toContainEqual({ path: '…', message: '30 more faults', count: 30 });
  });

  it('stands beside no manifest, however long it is', async () => {
    const list = await listOf(Array.from({ length: 2_001 }, (_, at) => line(`v${at}`)).join('\n'));
    const input = { manifest: { url: 'file:a.jsonl' } };

    expect(() => checkListed({ operation, list, input })).toThrow(CliError);
    expect(checkListed({ operation, list, input: {} })).toHaveProperty('manifest.url');
  });

  it('of a file is named by its path', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'list-')), 'videos.jsonl');
    writeFileSync(file, `${line('a')}\n{"name": 7}\n`);
    const list = await readList(file, { readStdin: () => Promise.reject(new Error('no stdin')) });

    expect(() => checkListed({ operation, list, input: {} })).toThrow(CliError);
    expect(list.placeOf(1)).toBe(`${file}:2`);
  });
});
