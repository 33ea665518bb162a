/**
 * `npm run pack:client`: writes the package `gcore-workflows-client` into `dist-client/`, from the
 * built files of the main package, or into another folder that is named. It installs neither the worker nor its native library.
 */
import { access, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';

import { followImports } from './follow-imports.js';

const [, , TARGET = 'dist-client'] = process.argv;
const BIN = './dist/cli/main.js';
const MODULES = {
  '.': 'client/index',
  './codec': 'codec/index',
  './contract': 'contract/index',
  './contract/nexus': 'contract/nexus',
};

const ENTRIES = [
  'dist/cli/main.js',
  ...Object.values(MODULES).flatMap((name) => [`dist/${name}.js`, `dist/${name}.d.ts`]),
];

const { version, license, type, engines, dependencies } = JSON.parse(
  await readFile('package.json', 'utf8'),
);
const { files, packages } = await followImports(ENTRIES, isCommand);

const clientPackage = {
  name: 'gcore-workflows-client',
  version,
  description: 'Starts and follows runs of the Temporal worker gcore-workflows. Unofficial.',
  license,
  type,
  engines,
  // Both lead to one file: `npx gcore-workflows-client` needs no name of a command.
  bin: { 'gcore-workflows': BIN, 'temporal-gcore': BIN },
  files: ['dist'],
  exports: {
    ...Object.fromEntries(
      Object.entries(MODULES).map(([path, name]) => [path, `./dist/${name}.js`]),
    ),
    './schemas/*.json': './dist/schemas/*.json',
    './package.json': './package.json',
  },
  dependencies: Object.fromEntries(packages.map((name) => [name, versionOf(name)])),
};

/** The command line loads its commands on use. What it loads from elsewhere on use, only the main package has. */
function isCommand(specifier, script) {
  return script.startsWith('dist/cli/') && specifier.startsWith('./');
}

function versionOf(name) {
  const range = dependencies[name];
  if (range === undefined) throw new Error(`package.json does not list ${name}.`);
  return range;
}

async function withMap(file) {
  const map = `${file}.map`;
  const hasMap = await access(map).then(
    () => true,
    () => false,
  );
  return hasMap ? [file, map] : [file];
}

await rm(TARGET, { recursive: true, force: true });
await mkdir(TARGET, { recursive: true });
for (const file of (await Promise.all(files.map(withMap))).flat())
  await cp(file, `${TARGET}/${file}`);
await cp('dist/schemas', `${TARGET}/dist/schemas`, { recursive: true });
await cp('dist/cli/third-party-licences.txt', `${TARGET}/dist/cli/third-party-licences.txt`);
await cp('LICENSE', `${TARGET}/LICENSE`);
await cp('packaging/client/README.md', `${TARGET}/README.md`);
await writeFile(`${TARGET}/package.json`, `${JSON.stringify(clientPackage, null, 2)}\n`);
