import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { openFreshFile } from '../../src/files/fresh-file.js';

let folder = '';
let file = '';
const faults: string[] = [];
const changes: string[] = [];

const open = () =>
  openFreshFile<string>({
    file,
    freshMs: 0,
    parse: (text) =>
      text === '' ? { ok: false, faults: ['is empty'] } : { ok: true, value: text },
    onFault: (fault) => faults.push(fault),
    onChange: (value) => changes.push(value),
  });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fresh-'));
  file = join(folder, 'file');
  faults.length = 0;
  changes.length = 0;
  await writeFile(file, 'one');
});

afterEach(() => rm(folder, { recursive: true }));

describe('a file that is read again', () => {
  it('tells each content once', async () => {
    const fresh = await open();
    await writeFile(file, 'two!');
    await fresh.read();

    expect(await fresh.read()).toBe('two!');
    expect(changes).toEqual(['two!']);
  });

  it('tells a fault once, however long it lasts, and recovers by itself', async () => {
    const fresh = await open();
    await rm(file);
    const seen = [await fresh.read(), await fresh.read(), await fresh.read()];
    await writeFile(file, '');
    seen.push(await fresh.read(), await fresh.read());
    await writeFile(file, 'two!');

    expect(seen).toEqual(Array(5).fill('one'));
    expect(faults).toEqual(['cannot be read', 'is empty']);
    expect(await fresh.read()).toBe('two!');
  });

  it('answers at once with what it knows, and looks meanwhile', async () => {
    const fresh = await open();
    await writeFile(file, 'two!');

    expect(fresh.last()).toBe('one');
    expect(await fresh.look()).toBe('two!');
    expect(fresh.last()).toBe('two!');
  });
});
