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

interface Mutation {
  name: string;
  file: string;
  line: string;
  broken: string;
  /** The server tests that notice it, as a jest pattern. Left out: the fault matrix. */
  tests?: string;
}

const MUTATIONS: readonly Mutation[] = [
  {
    name: 'a call whose answer was lost is sent again without a look',
    file: 'src/workflows/engine/send/send-once.ts',
    line: 'return reconcile(run, mutation, sent);\n  }\n  mutation.step',
    broken:
      "return Promise.resolve(sent).then(() => ({ kind: 'absent' }) as const);\n  }\n  mutation.step",
  },
  {
    name: 'an empty list is believed before the grace time is over',
    file: 'src/workflows/engine/send/reconcile.ts',
    line: "return isLate ? { kind: 'absent' } : undefined;",
    broken: "return isLate || sent.from > 0 ? { kind: 'absent' } : undefined;",
  },
  {
    name: 'a create has three attempts',
    file: 'src/workflows/engine/run/api.ts',
    line: "startToCloseTimeout: '20 seconds',\n      retry: { maximumAttempts: 1 }",
    broken: "startToCloseTimeout: '20 seconds',\n      retry: { maximumAttempts: 3 }",
  },
  {
    name: 'a rollback does not wait for the create',
    file: 'src/workflows/provision-instance/steps/remove-instance.ts',
    line: "await waitForTasks(run, taskIds, { step, expect: 'create_vm', unlimited: true });",
    broken: '',
  },
  {
    name: 'leftovers of a failed create are looked for once',
    file: 'src/workflows/provision-instance/steps/made-resources.ts',
    line: 'return isSure ? made : undefined;',
    broken: 'return isSure || made.listed.length >= 0 ? made : undefined;',
  },
  {
    name: 'a removal is not verified',
    file: 'src/workflows/engine/send/until-gone.ts',
    line: 'if (left.length === 0) return;',
    broken: 'if (left.length >= 0) return;',
  },
  {
    name: 'a rollback forgets the call with an unknown outcome',
    file: 'src/workflows/engine/send/send-once.ts',
    line: 'Object.assign(lastCall, { lostIn: sent, mayExist: true });',
    broken: 'Object.assign(lastCall, { lostIn: undefined, mayExist: sent.from > 0 });',
  },
  {
    name: 'a rollback takes what another run of the request made',
    file: 'src/workflows/provision-instance/steps/ownership.ts',
    line: 'const makers = [own, ...leftovers.makers];\n  const found = await api.reads.listVolumes({ ...search, makers });',
    broken:
      'const makers = [own, ...leftovers.makers];\n  const found = await api.reads.listVolumes(search);',
    tests: 'provision-instance/ownership',
  },
  {
    name: 'a broken instance of an earlier success counts as a leftover',
    file: 'src/workflows/provision-instance/steps/ownership.ts',
    line: 'const isLeftover = await prepareActivities.endedWithoutSuccess({ runId });',
    broken:
      "const isLeftover = (await prepareActivities.endedWithoutSuccess({ runId })) || runId !== '';",
    tests: 'provision-instance/ownership',
  },
  {
    name: 'what another namespace made under the same marker counts as ours',
    file: 'src/activities/cloud-list.ts',
    line: 'namespaceIdOf(maker) === namespaceId;',
    broken: "namespaceIdOf(maker) !== '';",
    tests: 'provision-instance/ownership',
  },
  {
    name: 'what somebody else made while the create was not sent counts as ours',
    file: 'src/workflows/engine/send/send-once.ts',
    line: "?? attempt.kind === 'unknown';",
    broken: '?? attempt.kind !== undefined;',
    tests: 'protect-ip-ownership',
  },
  {
    name: 'a rollback removes what a call that was never sent would have made',
    file: 'src/workflows/engine/send/send-once.ts',
    line: 'return prepared.maker !== undefined && !mayExist;',
    broken: "return prepared.maker === '' && !mayExist;",
    tests: 'protect-ip-ownership',
  },
  {
    name: 'the late calls of a terminated run are waited for in one region only',
    file: 'src/workflows/provision-instance/steps/create-instance-once.ts',
    line: 'if (run.prepared.maker !== undefined && run.prepared.cutShortAt !== undefined) {',
    broken: "if (run.prepared.maker === '' && run.prepared.cutShortAt !== undefined) {",
    tests: 'provision-instance/restarted',
  },
  {
    name: 'the late calls of a terminated run with another id are not waited for',
    file: 'src/activities/prepare/check-input.ts',
    line: '...(turnId === undefined ? [] : [turnId])',
    broken: '...(turnId === undefined ? [] : [turnId].slice(1))',
    tests: 'grant-sftp-access-restarted',
  },
  {
    name: 'a delete without a task counts as a proof',
    file: 'src/workflows/engine/send/until-gone.ts',
    line: 'return gone === true;',
    broken: 'return gone === true || (taskIds.length === 0 && isBusy !== true);',
    tests: 'provision-instance/removal',
  },
  {
    name: 'a removal that gets no further never blocks',
    file: 'src/workflows/engine/send/until-gone.ts',
    line: 'if (mayBlock && fruitless >= MAX_FRUITLESS)',
    broken: 'if (mayBlock && fruitless >= MAX_FRUITLESS * 1e9)',
    tests: 'provision-instance/removal',
  },
  {
    name: 'a worker that has stood still sends the calls of long ago',
    file: 'src/activities/http/api-client.ts',
    line: "if (isLate && method !== 'GET')",
    broken: "if (isLate && path === '')",
    tests: 'frozen-worker',
  },
];

/** The seeds of the first operation; the mutations break its code. */
const SEEDS = CELLS.filter(({ of }) => of.operation === 'provisionInstance').length;

const COPY = resolve('.cache/broken');
const COPIED = ['src', 'test', 'bench', 'package.json', 'tsconfig.json', 'jest.config.js'];
const TSCONFIGS = ['tsconfig.build.json', 'tsconfig.scripts.json'];

const { values } = parseArgs({
  options: { only: { type: 'string' }, from: { type: 'string', default: '1' } },
});
const chosen = MUTATIONS.filter(
  ({ name }, index) => index + 1 >= Number(values.from) && name.includes(values.only ?? ''),
);
if (chosen.length === 0) throw new Error('no line to break has this name and place');

// Checks every mutation first, because the matrix takes many minutes.
for (const mutation of MUTATIONS) around(mutation);
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
  const jest = ['jest', '--', '--selectProjects', 'integration', '--testTimeout', '120000'];
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
