/**
 * `npm run release:histories -- --version 0.1.0`: keeps what a released version leaves in open runs, for all later
 * versions: its stored histories, and the fields and patches that it knows. Writes `test/replay/corpus/<version>`.
 * A history that an earlier corpus has is not kept again. Until git has the tag `v<version>`, the version counts as not
 * released: then its corpus takes what is new, and keeps the histories that it has.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';

import { PREPARED_FIELDS } from '../dist/contract/wire/prepared.js';
import { Patch } from '../dist/engine/run/patches.js';

const HISTORIES = 'test/replay/histories';
/** Of one version. What grows beyond it is no sample any more. */
const MAX_BYTES = 1024 * 1024;

const { values } = parseArgs({
  options: {
    version: { type: 'string' },
    commit: { type: 'string', default: 'HEAD' },
    corpus: { type: 'string', default: 'test/replay/corpus' },
  },
});
const { version = '', corpus } = values;
const { version: own } = JSON.parse(readFileSync('package.json', 'utf8'));
if (version !== own) fail(`--version must be that of package.json: ${own}`);
const folder = `${corpus}/${version}`;
const isReleased = git('tag', '--list', `v${version}`) !== '';
const isThere = existsSync(folder);
if (isThere && isReleased) fail(`${folder} exists: a released version does not change`);

// No version has been released before the first.
const earlier = existsSync(corpus) ? readdirSync(corpus).filter((name) => name !== version) : [];
const known = new Set(earlier.flatMap((name) => Object.values(unpack(name))));
const found = Object.fromEntries(
  readdirSync(HISTORIES)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => [name, JSON.stringify(JSON.parse(readFileSync(`${HISTORIES}/${name}`, 'utf8')))])
    .filter(([, history]) => !known.has(history)),
);
const kept = { ...(isThere && unpack(version)), ...found };
const packed = brotliCompressSync(JSON.stringify(kept));
if (packed.length > MAX_BYTES) fail(`${packed.length} bytes are too many: keep fewer histories`);

const commit = git('rev-parse', values.commit);
const release = {
  version,
  commit,
  histories: Object.keys(kept).length,
  prepared: PREPARED_FIELDS,
  patches: Object.values(Patch).sort(),
};
mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}/histories.json.br`, packed);
writeFileSync(`${folder}/release.json`, `${JSON.stringify(release, null, 2)}\n`);
process.stdout.write(`${folder}: ${release.histories} histories, ${packed.length} bytes\n`);

function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}

function unpack(name) {
  const packed = readFileSync(`${corpus}/${name}/histories.json.br`);
  return JSON.parse(brotliDecompressSync(packed).toString());
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
