/**
 * `npm run test:mutations [-- --only <name>]`: does the fault matrix notice a broken engine?
 *
 * Breaks one dangerous line of the engine at a time in a copy of the project and runs the short matrix
 * there. Prints what the matrix noticed. Exits with 1 when it noticed nothing.
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
    broken: 'Object.assign(lastCall, { lostIn: undefined, mayExist: true });',
  },
];

/** The seeds of the first operation; the mutations break its code. */
const SEEDS = CELLS.filter(({ of }) => of.operation === 'provisionInstance').length;

const COPY = resolve('.cache/broken');
const COPIED = ['src', 'test', 'bench', 'package.json', 'tsconfig.json'];
const TSCONFIGS = ['tsconfig.build.json', 'tsconfig.scripts.json'];

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const chosen = MUTATIONS.filter(({ name }) => values.only === undefined || name === values.only);

// Checks every mutation first, because the matrix takes many minutes.
for (const mutation of MUTATIONS) around(mutation);
copyProject();
const sound = runMatrix();
if (sound.isNoticed) throw new Error(`the matrix is not clean to begin with:\n${sound.seen}`);
for (const mutation of chosen) {
  copyProject();
  breakLine(mutation);
  const { isNoticed, seen } = runMatrix();
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

/** Throws when the matrix printed no table: a copy that does not compile proves nothing. */
function runMatrix(): { isNoticed: boolean; seen: string } {
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
