/**
 * Part of `npm run build`: writes `dist/cli/` from `src/cli/`, bundled with the packages that it needs, so that a command
 * reads a dozen files and not eight hundred. See docs/decisions/0059.
 */
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';

import { bundleCommandLine } from './bundle-command-line.js';
import { licenceTexts } from './licence-texts.js';

const TARGET = 'dist/cli';
const MAIN = join(TARGET, 'main.js');
const OUTLINES = join(TARGET, 'outlines.js');
const LICENCES = join(TARGET, 'third-party-licences.txt');

const { outputs, packages } = await bundleCommandLine(TARGET);
const files = new Map(outputs.map(({ path, text }) => [join(TARGET, basename(path)), text]));
files.set(LICENCES, await licenceTexts(packages));
await mkdir(TARGET, { recursive: true });
for (const name of await readdir(TARGET)) {
  const file = join(TARGET, name);
  if (!files.has(file)) await rm(file, { recursive: true });
}
for (const [file, text] of files) if (file !== OUTLINES) await write(file, text);
await chmod(MAIN, 0o755);

// What the help and the completion say of the commands. Reading it from them loads all that they need.
const { readOutlines } = await import(resolve(TARGET, 'run-cli.js'));
await write(OUTLINES, `export const OUTLINES = ${JSON.stringify(await readOutlines())};\n`);

/** Leaves alone what is as it should be: a test or a command may be reading it. */
async function write(file, text) {
  const found = await readFile(file, 'utf8').catch(() => undefined);
  if (found !== text) await writeFile(file, text);
}
