/**
 * `npm run test:mutations [-- --only <part of a name>] [--from <place in the list>]`: do the tests notice a
 * broken engine?
 *
 * Breaks one dangerous line at a time in a copy of the project, and runs the short matrix or the tests of
 * that line there. Prints what they noticed. Exits with 1 when they noticed nothing.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { CELLS } from '../test/faults/matrix/cells.js';
import { ALL_MUTATIONS } from './all-mutations.js';
import type { Mutation } from './mutations.js';

/** The seeds of the first operation; the mutations break its code. */
const SEEDS = CELLS.filter(({ of }) => of.operation === 'provisionInstance').length;

const COPY = resolve('.cache/broken');
const COPIED = [
  'src',
  'test',
  'bench',
  'packaging',
  'docs',
  'package.json',
  'tsconfig.json',
  'jest.config.js',
];
const TSCONFIGS = ['tsconfig.build.json', 'tsconfig.scripts.json'];

const { values } = parseArgs({
  options: { only: { type: 'string' }, from: { type: 'string', default: '1' } },
});
const chosen = ALL_MUTATIONS.filter(
  ({ name }, index) => index + 1 >= Number(values.from) && name.includes(values.only ?? ''),
);
if (chosen.length === 0) throw new Error('no line to break has this name and place');

// Checks every mutation first, because the matrix takes many minutes.
for (const mutation of ALL_MUTATIONS) around(mutation);
copyProject();
if (chosen.some(({ tests }) => tests === undefined)) refuseUnclean('the matrix', runMatrix());
const patterns = new Set(chosen.flatMap(({ tests }) => tests ?? []));
for (const pattern of patterns) refuseUnclean(pattern, runTests(pattern));
for (const mutation of chosen) {
  copyProject();
  breakLine(mutation);
  const { isNoticed, seen } = mutation.tests === undefined ? runMatrix() : runTests(mutation.tests);
  process.stdout.write(`${isNoticed ? 'noticed' : 'NOT NOTICED'}: ${mutation.name}\n${seen}\n`);
  if (!isNoticed) process.exitCode = 1;
}
rmSync(COPY, { recursive: true, force: true });

function copyProject(): void {
  rmSync(COPY, { recursive: true, force: true });
  mkdirSync(COPY, { recursive: true });
  for (const name of [...COPIED, ...TSCONFIGS]) {
    cpSync(name, join(COPY, name), { recursive: true });
  }
  symlinkSync(resolve('node_modules'), join(COPY, 'node_modules'));
}

function breakLine({ broken, ...mutation }: Mutation): void {
  writeFileSync(join(COPY, mutation.file), around(mutation).join(broken));
}

/** The text before and after the line. */
function around({ name, file, line }: Omit<Mutation, 'broken'>): string[] {
  const parts = readFileSync(file, 'utf8').split(line);
  if (parts.length !== 2)
    throw new Error(`"${name}": the file must contain this line exactly once: ${line}`);
  return parts;
}

function refuseUnclean(what: string, { isNoticed, seen }: Notice): void {
  if (isNoticed) throw new Error(`${what} is not clean to begin with:\n${seen}`);
}

interface Notice {
  isNoticed: boolean;
  seen: string;
}

/** Throws when no test ran: a copy that does not compile proves nothing. */
function runTests(pattern: string): Notice {
  const run = (args: readonly string[]) =>
    spawnSync('npm', ['run', '--silent', ...args], {
      cwd: COPY,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
  const build = run(['build']);
  if (build.status !== 0) throw new Error(`the copy does not compile:\n${build.stdout}`);
  const jest = ['jest', '--', '--testTimeout', '120000'];
  const { status, stderr } = run([...jest, '--forceExit', '--testPathPatterns', pattern]);
  const tests = /^Tests: +(.*)$/m.exec(stderr)?.[1];
  if (tests === undefined) throw new Error(`no test ran:\n${stderr}`);
  return { isNoticed: status !== 0, seen: `  ${pattern}: ${tests}` };
}

/** Throws when the matrix printed no table: a copy that does not compile proves nothing. */
function runMatrix(): Notice {
  const args = ['run', '--silent', 'test:faults', '--', '--fresh', '--at-once', '3'];
  const { status, stdout, stderr } = spawnSync('npm', [...args, '--seeds', String(SEEDS)], {
    cwd: COPY,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const table = /^seeds +\d+\n[^]*$/m.exec(stdout)?.[0];
  if (table === undefined) throw new Error(`the matrix did not run:\n${stdout}${stderr}`);
  const seen = table
    .split('\n')
    .filter((text) => /^(duplicates|lost|wrong|ledger|over|do not)/.test(text))
    .map((text) => `  ${text}`);
  return { isNoticed: status !== 0, seen: seen.join('\n') };
}
