/**
 * `npm run test:mutations [-- --only <part of a name>] [--from <place in the list>] [--shard 1/2] [--trusting]`: do the
 * tests notice a broken engine?
 *
 * Breaks one dangerous line at a time in a copy of the project, and searches with the simulation or runs the tests of
 * that line there, until the first that fails. Prints what they noticed. Exits with 1 when they noticed
 * nothing. Shares of the list can run side by side. First it makes sure that nothing fails where no line is broken;
 * `--trusting` leaves that out.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';

import { killGroup } from '../test/support/workers/kill-group.js';
import { bundleSearch, bundleWorkflows } from './bundle-copy.js';
import { readMutations, searchOf, type Mutation } from './mutation-list.js';

const COPIED = [
  'src',
  'test',
  'bench',
  'packaging',
  'docs',
  'dist',
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
    trusting: { type: 'boolean', default: false },
  },
});
const [share = NaN, shares = NaN] = values.shard.split('/').map(Number);
const all = readMutations();
const chosen = all
  .slice(Number(values.from) - 1)
  .filter(({ name }, index) => index % shares === share - 1 && name.includes(values.only));
const COPY = resolve(`.cache/broken-${String(share)}`);
if (chosen.length === 0) throw new Error('no line to break has this name and place');

/** What tests of a project need of the copy, the cheapest first: most lines need no server, and no compiler. */
const PROJECTS = [
  { name: 'unit', files: /(?<!\.server|\.sim)\.test\.ts$/, make: () => Promise.resolve() },
  { name: 'simulation', files: /\.sim\.test\.ts$/, make: () => bundleWorkflows(COPY) },
  { name: 'integration', files: /\.server\.test\.ts$/, make: buildAll },
] as const;

// Checks every mutation first, because the tests take minutes.
for (const mutation of all) around(mutation);
copyProject();
if (!values.trusting) await refuseUnclean();
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
  const { name } = mutation;
  const startedAt = performance.now();
  try {
    const { isNoticed, seen } = await whileBroken(mutation, () => lookFor(mutation));
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    const verdict = isNoticed ? 'noticed' : 'NOT NOTICED';
    process.stdout.write(`${verdict}: ${name} (${String(seconds)} s)\n${seen}\n`);
    return isNoticed;
  } catch (error) {
    process.stdout.write(`NOT TRIED: ${name}\n${String(error)}\n`);
    return false;
  }
}

function lookFor({ tests }: Mutation): Promise<Notice> {
  const search = searchOf(tests);
  return search === undefined ? runTests(tests ?? '') : runSearch(search);
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

/** Every search as it would go on a whole engine, and all tests at once. */
async function refuseUnclean(): Promise<void> {
  const patterns = new Set<string>();
  const searches = new Map<string, string[]>();
  for (const { tests } of chosen) {
    const search = searchOf(tests);
    if (search === undefined) patterns.add(tests ?? '');
    else searches.set(search.join(' '), search);
  }
  const looks = [...searches.values()].map((search) => () => runSearch(search));
  if (patterns.size > 0) looks.push(() => runTests([...patterns].join('|')));
  for (const look of looks) {
    const { isNoticed, seen } = await look();
    if (isNoticed) throw new Error(`something fails where no line is broken:\n${seen}`);
  }
}

interface Notice {
  isNoticed: boolean;
  seen: string;
}

/** The build knows nothing of a bundle that it has not made. */
async function buildAll(): Promise<void> {
  rmSync(join(COPY, '.cache/workflow-bundle.json'), { force: true });
  const build = await run('npm', ['run', '--silent', 'build']);
  if (build.status !== 0) throw new Error(`the copy does not compile:\n${build.stdout}`);
}

/** Throws when no test ran: a copy that does not compile proves nothing. */
async function runTests(pattern: string): Promise<Notice> {
  const meant = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map((name) => join('test', name))
    .filter((name) => new RegExp(pattern).test(name));
  const seen: string[] = [];
  for (const { name, files, make } of PROJECTS) {
    const paths = meant.filter((path) => files.test(path));
    if (paths.length === 0) continue;
    await make();
    const notice = await runFiles(name, paths);
    seen.push(`  ${pattern}, ${name}: ${notice.seen}`);
    if (notice.isNoticed) return { isNoticed: true, seen: seen.join('\n') };
  }
  if (seen.length === 0) throw new Error(`there is no test ${pattern}`);
  return { isNoticed: false, seen: seen.join('\n') };
}

async function runFiles(project: string, paths: readonly string[]): Promise<Notice> {
  const options = ['--env', FIRST_FAILURE, '--testTimeout', '240000', '--forceExit', '--bail'];
  const jest = ['run', '--silent', 'jest', '--', '--selectProjects', project, ...options];
  const { status, stderr } = await run('npm', [...jest, '--runTestsByPath', ...paths]);
  const tests = /^Tests: +(.*)$/m.exec(stderr)?.[1];
  if (tests === undefined || /^0 total/.test(tests)) throw new Error(`no test ran:\n${stderr}`);
  const failed = [...new Set(stderr.match(/^ +● .*$/gm))].map((test) => `\n  ${test.trim()}`);
  return { isNoticed: status !== 0, seen: `${tests}${failed.join('')}` };
}

/** Throws when the search did not come to its end: a copy that does not compile proves nothing. */
async function runSearch(search: readonly string[]): Promise<Notice> {
  await bundleWorkflows(COPY);
  const words = ['--max-semi-space-size=64', await bundleSearch(COPY), '--until-found', ...search];
  const { status, stdout, stderr } = await run(process.execPath, words);
  if (!/^\d+ seeds in /m.test(stdout)) throw new Error(`nothing was searched:\n${stdout}${stderr}`);
  const seen = stdout.split('\n').filter((text) => /^--seed |^\d+ seeds/.test(text));
  return { isNoticed: status !== 0, seen: seen.map((text) => `  ${text}`).join('\n') };
}

/** Runs a command in the copy, and ends what it leaves behind: jest goes on in its workers after it has given up. */
async function run(command: string, args: readonly string[]) {
  const child = spawn(command, args, {
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
