import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reports-'));
});

afterEach(() => rm(folder, { recursive: true }));

interface Test {
  fullName: string;
  status: 'passed' | 'failed';
}

const passed = (fullName: string): Test => ({ fullName, status: 'passed' });
const failed = (fullName: string): Test => ({ fullName, status: 'failed' });

/** Writes a report as jest does: files with their tests. */
function writeReport(name: string, files: Record<string, Test[]>): Promise<void> {
  const testResults = Object.entries(files).map(([file, assertionResults]) => {
    const isSound = assertionResults.length > 0 && assertionResults.every(isPassed);
    return { name: file, status: isSound ? 'passed' : 'failed', assertionResults };
  });
  return writeFile(join(folder, name), JSON.stringify({ testResults }));
}

function isPassed({ status }: Test): boolean {
  return status === 'passed';
}

function read(command: string): Promise<{ exitCode: number | string; lines: string[] }> {
  return new Promise((ended) => {
    execFile(process.execPath, ['.ci/reports.js', folder, command], (error, stdout) => {
      ended({ exitCode: error?.code ?? 0, lines: stdout.trim().split('\n') });
    });
  });
}

describe('the reports of the gate', () => {
  it('are counted together', async () => {
    await writeReport('one.json', { 'a.test.ts': [passed('a')] });
    await writeReport('two.json', { 'b.test.ts': [passed('b'), passed('c')] });

    expect(await read('count')).toEqual({ exitCode: 0, lines: ['3 passed, 0 failed'] });
  });

  it('refuse a test that failed, and a file that did not run', async () => {
    await writeReport('one.json', { 'a.test.ts': [passed('a'), failed('b')], 'c.test.ts': [] });

    expect(await read('failed')).toEqual({ exitCode: 0, lines: ['a.test.ts', 'c.test.ts'] });
    expect(await read('count')).toEqual({ exitCode: 1, lines: ['1 passed, 2 failed'] });
  });

  it('name a test that passed only alone', async () => {
    await writeReport('one.json', { 'a.test.ts': [passed('a'), failed('b')] });
    await writeReport('again.json', { 'a.test.ts': [passed('a'), passed('b')] });

    const lines = ['failed beside other tests: b', '2 passed, 0 failed'];
    expect(await read('count')).toEqual({ exitCode: 0, lines });
  });

  it('refuse what failed twice, and what failed only the second time', async () => {
    await writeReport('one.json', { 'a.test.ts': [passed('a'), failed('b')] });
    await writeReport('again.json', { 'a.test.ts': [failed('a'), failed('b')] });

    const lines = ['failed beside other tests: b', '0 passed, 2 failed'];
    expect(await read('count')).toEqual({ exitCode: 1, lines });
  });

  it('refuse a run without a test', async () => {
    await writeReport('one.json', {});

    expect(await read('count')).toEqual({ exitCode: 1, lines: ['0 passed, 0 failed'] });
  });
});
