/**
 * `npm run t -- PATH…`: runs the tests of files and folders, of whatever kind they are, and builds what they need first. What
 * begins with a dash is for jest. Says on stderr what it leaves out.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';

import { importsIn, testsOf } from './tests-of.js';

const ROOT = resolve(import.meta.dirname, '../../..');
/** What each build writes last. */
const BUILT = {
  build: 'dist/workflow-bundle.js',
  'build:package': 'dist/contract/operations/types.d.ts',
} as const;

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

function filesBelow(folder: string): string[] {
  return readdirSync(resolve(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(ROOT, resolve(parentPath, name)));
}

function run(...command: string[]): number {
  const [name = '', ...args] = command;
  return spawnSync(name, args, { cwd: ROOT, stdio: 'inherit' }).status ?? 1;
}

/** `undefined`: they need none. */
function buildFor(tests: readonly string[]): keyof typeof BUILT | undefined {
  if (tests.some((test) => test.endsWith('.server.test.ts'))) return 'build:package';
  return tests.some((test) => test.endsWith('.sim.test.ts')) ? 'build' : undefined;
}

function isBuilt(build: keyof typeof BUILT): boolean {
  const timeOf = (path: string): number =>
    statSync(resolve(ROOT, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return Math.max(...filesBelow('src').map(timeOf)) < timeOf(BUILT[build]);
}

function main(args: readonly string[]): number {
  const paths = args.filter((arg) => !arg.startsWith('-'));
  const tests = filesBelow('test').filter((path) => /\.test\.tsx?$/.test(path));
  const importsOf = (test: string) => importsIn(test, readFileSync(resolve(ROOT, test), 'utf8'));
  const found = paths.map((path) => testsOf(relative(ROOT, resolve(path)), { tests, importsOf }));
  const chosen = [...new Set(found.flatMap((each) => each.run))];
  if (chosen.length === 0) {
    say(
      'No test has this name, imports it or stands beside it: npm run t -- src/workflows/resize-instance.ts',
    );
    return 2;
  }
  const leftOut = new Set(
    found.flatMap((each) => each.leftOut).filter((test) => !chosen.includes(test)),
  );
  if (leftOut.size > 0)
    say(
      `Left out, although they import it:\n${[...leftOut].map((test) => `  ${test}`).join('\n')}`,
    );
  const build = buildFor(chosen);
  if (build !== undefined && !isBuilt(build) && run('npm', 'run', '--silent', build) !== 0)
    return 1;
  const options = args.filter((arg) => arg.startsWith('-'));
  return run('npm', 'run', '--silent', 'jest', '--', ...options, '--runTestsByPath', ...chosen);
}

process.exitCode = main(process.argv.slice(2));
