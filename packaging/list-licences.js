/**
 * Lists the packages that the product installs, with version and licence, as Markdown: `npm run licences`. A test
 * (test/packaging/licences.test.ts) fails for a licence that is not allowed.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Licences that ask for no more than their text beside the product. */
const ALLOWED = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
];

/** Packages with another licence, each with the reason why it is taken. */
const EXCEPTIONS = {
  'caniuse-lite':
    'CC-BY-4.0 for data of browsers, which webpack brings and nothing here loads or passes on',
};

/** Packages whose manifest names no licence in the usual field. */
const NAMED_ELSEWHERE = { unionfs: 'Unlicense' };

/** The packages of a lock file that `npm ci --omit=dev` installs. */
export function licencesOf(lock) {
  return Object.entries(lock.packages)
    .filter(([path, { dev, link }]) => path !== '' && !dev && !link)
    .map(([path, { version, license }]) => {
      const name = path.replace(/^.*node_modules\//, '');
      return { name, version, licence: license ?? NAMED_ELSEWHERE[name] ?? 'none' };
    });
}

/** What is wrong with the licences, one text for each package. */
export function licenceFaults(packages) {
  return packages
    .filter(({ name, licence }) => !isAllowed(licence) && !(name in EXCEPTIONS))
    .map(({ name, version, licence }) => `${name}@${version}: ${licence}`);
}

/** Of "A OR B" one part is enough; of "A AND B" each counts. */
function isAllowed(licence) {
  const parts = licence.replace(/^\((.*)\)$/, '$1');
  if (parts.includes(' OR ')) return parts.split(' OR ').some(isAllowed);
  return parts.split(' AND ').every((part) => ALLOWED.includes(part));
}

if (process.argv[1] === import.meta.filename) {
  const root = join(import.meta.dirname, '..');
  const packages = licencesOf(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  const rows = packages.map(
    ({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`,
  );
  const head = ['| Package | Version | Licence |', '| --- | --- | --- |'];
  process.stdout.write(`${[...head, ...rows].join('\n')}\n`);
  const faults = licenceFaults(packages);
  for (const fault of faults) process.stderr.write(`not allowed: ${fault}\n`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
