/**
 * `npm run pack:client`: writes the package `gcore-workflows-client` into `dist-client/`, from the
 * built files of the main package. It installs neither the worker nor its native library.
 */
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';

const TARGET = 'dist-client';

/** What `src/client` and `src/contract` import. A test holds this list against the built files. */
const DEPENDENCIES = [
  '@temporalio/client',
  '@temporalio/common',
  '@temporalio/envconfig',
  '@temporalio/proto',
  '@temporalio/workflow',
  'ms',
  'nexus-rpc',
  'zod',
];

const { version, license, type, engines, dependencies } = JSON.parse(
  await readFile('package.json', 'utf8'),
);

const clientPackage = {
  name: 'gcore-workflows-client',
  version,
  description: 'Starts and follows runs of the Temporal worker gcore-workflows. Unofficial.',
  license,
  type,
  engines,
  files: ['dist'],
  exports: {
    '.': './dist/client/index.js',
    './contract': './dist/contract/index.js',
    './contract/nexus': './dist/contract/nexus.js',
    './schemas/*.json': './dist/schemas/*.json',
    './package.json': './package.json',
  },
  dependencies: Object.fromEntries(DEPENDENCIES.map((name) => [name, dependencies[name]])),
};

await rm(TARGET, { recursive: true, force: true });
await mkdir(TARGET);
await cp('dist/client', `${TARGET}/dist/client`, { recursive: true });
await cp('dist/contract', `${TARGET}/dist/contract`, { recursive: true });
await cp('dist/schemas', `${TARGET}/dist/schemas`, { recursive: true });
await cp('LICENSE', `${TARGET}/LICENSE`);
await cp('packaging/client/README.md', `${TARGET}/README.md`);
await writeFile(`${TARGET}/package.json`, `${JSON.stringify(clientPackage, null, 2)}\n`);
