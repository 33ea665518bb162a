/**
 * Asks the registry for known faults of what is in the lock file: `npm run check:advisories`. Of what the product
 * installs each one counts; of what only builds and tests, those that are high or critical.
 *
 * A machine that cannot ask says so, and that is no failure: with `--required` it is one. What is taken as it is stands
 * in accepted-advisories.json: `{ "id": "GHSA-…", "reason": "…", "until": "2027-01-31" }`.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const SEVERITIES = ['info', 'low', 'moderate', 'high', 'critical'];

/** The advisories in a report of `npm audit --json` from this severity on, each once. */
function advisoriesIn(report, least) {
  const from = SEVERITIES.indexOf(least);
  const sources = Object.values(report.vulnerabilities).flatMap(({ via }) =>
    via.filter((each) => typeof each === 'object'),
  );
  return sources
    .filter(({ severity }) => SEVERITIES.indexOf(severity) >= from)
    .map(({ url, name, range, severity, title }) => {
      const id = url.slice(url.lastIndexOf('/') + 1);
      return { id, text: `${name} ${range}, ${severity}: ${title} (${url})` };
    });
}

/**
 * What npm has answered: about what the product installs, and about everything. `faults` must be mended; `unasked` says
 * why nothing is known.
 */
export function judgeAdvisories({ product, all, accepted, today }) {
  const unasked = [product, all].find((report) => report.auditReportVersion === undefined);
  if (unasked !== undefined)
    return {
      faults: [],
      unasked: unasked.message ?? unasked.error?.summary ?? 'npm gave no report',
    };
  const found = new Map(
    [...advisoriesIn(product, 'low'), ...advisoriesIn(all, 'high')].map(({ id, text }) => [
      id,
      text,
    ]),
  );
  const faults = [...found].flatMap(([id, text]) => {
    const taken = accepted.find((each) => each.id === id);
    if (taken === undefined)
      return [`${text}: update it, or say in accepted-advisories.json why not`];
    if (taken.until < today) return [`${text}: was accepted until ${taken.until}: ${taken.reason}`];
    return [];
  });
  return { faults, unasked: undefined };
}

function audit(...words) {
  // Away from the network npm would wait for minutes.
  const patience = ['--fetch-timeout', '20000', '--fetch-retries', '1'];
  const { stdout } = spawnSync('npm', ['audit', '--json', ...patience, ...words], {
    encoding: 'utf8',
    maxBuffer: 64 * 1_024 ** 2,
  });
  try {
    return JSON.parse(stdout);
  } catch {
    return { message: 'npm audit gave no JSON' };
  }
}

if (process.argv[1] === import.meta.filename) {
  const file = join(import.meta.dirname, 'accepted-advisories.json');
  const { faults, unasked } = judgeAdvisories({
    product: audit('--omit=dev'),
    all: audit(),
    accepted: JSON.parse(readFileSync(file, 'utf8')),
    today: new Date().toISOString().slice(0, 10),
  });
  if (unasked !== undefined) {
    process.stderr.write(
      `NOT CHECKED for known faults: the registry cannot be asked. ${unasked}\n`,
    );
  }
  for (const fault of faults) process.stderr.write(`known fault: ${fault}\n`);
  const isUnknown = unasked !== undefined && process.argv.includes('--required');
  process.exitCode = faults.length > 0 || isUnknown ? 1 : 0;
}
