/**
 * Prints a CycloneDX SBOM of what the product installs: `npm run sbom`. It is made from the lock file alone, so every checkout
 * and every machine makes the same one. `npm sbom --omit dev` leaves out what the product and its tools both need (68 packages).
 */
import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { licencesOf } from './list-licences.js';

/** The SBOM of a lock file. */
export function sbomOf(lock) {
  const root = lock.packages[''];
  const installed = Object.entries(lock.packages).filter(
    ([path, { dev, link }]) => path !== '' && !dev && !link,
  );
  const components = new Map(installed.map((entry) => [refOf(entry), componentOf(entry)]));
  const own = `${root.name}@${root.version}`;
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: {
        'bom-ref': own,
        type: 'application',
        name: root.name,
        version: root.version,
        purl: `pkg:npm/${own}`,
        licenses: [{ expression: root.license }],
      },
    },
    components: sortedBy([...components.values()], (component) => component['bom-ref']),
    dependencies: dependenciesOf(lock.packages, installed, own),
  };
}

const nameOf = (path) => path.replace(/^.*node_modules\//, '');
const refOf = ([path, { version }]) => `${nameOf(path)}@${version}`;

function componentOf([path, entry]) {
  const [{ name, version, licence }] = licencesOf({ packages: { [path]: entry } });
  return {
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    // Binaries of other platforms are in the lock file, and not in every installation.
    scope: entry.optional ? 'optional' : 'required',
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(licence !== 'none' && { licenses: [{ expression: licence }] }),
    ...(entry.integrity && { hashes: [hashOf(entry.integrity)] }),
  };
}

const ALGORITHMS = { sha512: 'SHA-512', sha1: 'SHA-1' };

function hashOf(integrity) {
  const [algorithm, base64] = integrity.split(' ')[0].split(/-(.*)/);
  return { alg: ALGORITHMS[algorithm], content: Buffer.from(base64, 'base64').toString('hex') };
}

/** Who needs whom. One package in several folders is one component, with the needs of all of them. */
function dependenciesOf(packages, installed, own) {
  const needs = new Map([[own, new Set(needsOf(packages, '', packages['']))]]);
  for (const entry of installed) {
    const known = needs.get(refOf(entry)) ?? [];
    needs.set(refOf(entry), new Set([...known, ...needsOf(packages, ...entry)]));
  }
  const all = [...needs].map(([ref, dependsOn]) => ({ ref, dependsOn: [...dependsOn].sort() }));
  return sortedBy(all, ({ ref }) => ref);
}

function needsOf(packages, path, { dependencies, optionalDependencies, peerDependencies }) {
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  return names.flatMap((name) => {
    const found = resolve(packages, path, name);
    return found === undefined || packages[found].dev ? [] : [refOf([found, packages[found]])];
  });
}

/** As Node looks it up: in the package's own node_modules, then in those of its parents. */
function resolve(packages, path, name) {
  const own = `${path === '' ? '' : `${path}/`}node_modules/${name}`;
  if (own in packages) return own;
  if (path === '') return undefined;
  return resolve(packages, path.replace(/\/?node_modules\/(?:@[^/]+\/)?[^/]+$/, ''), name);
}

function sortedBy(list, key) {
  return list.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

if (process.argv[1] === import.meta.filename) {
  const lock = readFileSync(join(import.meta.dirname, '..', 'package-lock.json'), 'utf8');
  process.stdout.write(`${JSON.stringify(sbomOf(JSON.parse(lock)), null, 2)}\n`);
}
