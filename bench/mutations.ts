/**
 * `npm run test:mutations [-- --only <part of a name>] [--from <place in the list>] [--shard 1/2]`: do the
 * tests notice a broken engine?
 *
 * Breaks one dangerous line at a time in a copy of the project, and searches with the simulation or runs the tests of
 * that line there, until the first that fails. Prints what they noticed. Exits with 1 when they noticed
 * nothing. Shares of the list can run side by side.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';

import { killGroup } from '../test/support/workers/kill-group.js';
import { readMutations, type Mutation } from './mutation-list.js';

/** Seeds of one instance; the mutations break its code. */
const SEEDS = 600;

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

const FIRST_FAILURE = './test/support/jest/until-first-failure.js';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    from: { type: 'string', default: '1' },
    shard: { type: 'string', default: '1/1' },
  },
});
const [share = NaN, shares = NaN] = values.shard.split('/').map(Number);
const all = readMutations();
const chosen = all
  .slice(Number(values.from) - 1)
  .filter(({ name }, index) => index % shares === share - 1 && name.includes(values.only));
const COPY = resolve(`.cache/broken-${String(share)}`);
if (chosen.length === 0) throw new Error('no line to break has this name and place');

// Checks every mutation first, because the tests take minutes.
for (const mutation of all) around(mutation);
copyProject();
if (chosen.some(({ tests }) => tests === undefined))
  refuseUnclean('the simulation', await runSearch());
const patterns = new Set(chosen.flatMap(({ tests }) => tests ?? []));
if (patterns.size > 0) refuseUnclean('a test', await runTests([...patterns].join('|')));
for (const mutation of chosen) {
  const isNoticed = await tried(mutation);
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
  allowUnused(join(COPY, 'tsconfig.json'));
}

/** A line that is broken may be the last use of a name. */
function allowUnused(file: string): void {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/("noUnused\w+"): true/g, '$1: false'));
}

/** Whether the tests noticed it. A line that breaks the copy itself holds up no other. */
async function tried(mutation: Mutation): Promise<boolean> {
  const { name, tests } = mutation;
  try {
    const look = () => (tests === undefined ? runSearch() : runTests(tests));
    const { isNoticed, seen } = await whileBroken(mutation, look);
    process.stdout.write(`${isNoticed ? 'noticed' : 'NOT NOTICED'}: ${name}\n${seen}\n`);
    return isNoticed;
  } catch (error) {
    process.stdout.write(`NOT TRIED: ${name}\n${String(error)}\n`);
    return false;
  }
}

async function whileBroken(
  { broken, ...mutation }: Mutation,
  look: () => Promise<Notice>,
): Promise<Notice> {
  const [before, after] = around(mutation);
  const file = join(COPY, mutation.file);
  writeFileSync(file, before + broken + after);
  try {
    return await look();
  } finally {
    writeFileSync(file, before + mutation.line + after);
  }
}

/** The text before and after the line. */
function around({ name, file, line }: Omit<Mutation, 'broken'>): [string, string] {
  const [before, after, ...more] = readFileSync(file, 'utf8').split(line);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`"${name}": the file must contain this line exactly once: ${line}`);
  return [before, after];
}

function refuseUnclean(what: string, { isNoticed, seen }: Notice): void {
  if (isNoticed) throw new Error(`${what} is not clean to begin with:\n${seen}`);
}

interface Notice {
  isNoticed: boolean;
  seen: string;
}

/** Throws when no test ran: a copy that does not compile proves nothing. */
async function runTests(pattern: string): Promise<Notice> {
  const build = await run(['build']);
  if (build.status !== 0) throw new Error(`the copy does not compile:\n${build.stdout}`);
  const projects = ['--selectProjects', 'unit', 'simulation', 'integration'];
  const jest = ['jest', '--', ...projects, '--env', FIRST_FAILURE, '--testTimeout', '240000'];
  const bail = ['--forceExit', '--bail', '--testPathPatterns', pattern];
  const { status, stderr } = await run([...jest, ...bail]);
  const tests = /^Tests: +(.*)$/m.exec(stderr)?.[1];
  if (tests === undefined) throw new Error(`no test ran:\n${stderr}`);
  const failed = [...new Set(stderr.match(/^ +● .*$/gm))].map((test) => `\n  ${test.trim()}`);
  return { isNoticed: status !== 0, seen: `  ${pattern}: ${tests}${failed.join('')}` };
}

/** Throws when the search did not come to its end: a copy that does not compile proves nothing. */
async function runSearch(): Promise<Notice> {
  const args = ['simulate', '--', '--plain', '--seeds', String(SEEDS)];
  const { status, stdout, stderr } = await run(args);
  if (!/^\d+ seeds in /m.test(stdout)) throw new Error(`nothing was searched:\n${stdout}${stderr}`);
  const seen = stdout.split('\n').filter((text) => /^seed |^\d+ seeds/.test(text));
  return { isNoticed: status !== 0, seen: seen.map((text) => `  ${text}`).join('\n') };
}

/** Runs a script in the copy, and ends what it leaves behind: jest goes on in its workers after it has given up. */
async function run(args: readonly string[]) {
  const child = spawn('npm', ['run', '--silent', ...args], {
    cwd: COPY,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [, stdout, stderr] = await Promise.all([
    once(child, 'exit').finally(() => {
      killGroup(child);
    }),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { status: child.exitCode ?? 1, stdout, stderr };
}
