/**
 * Reads jest's reports in a folder:
 *
 *   node .ci/reports.js FOLDER failed   prints the files in which a test failed, one a line
 *   node .ci/reports.js FOLDER count    names the tests that passed only alone; last line: "N passed, N failed"
 *
 * `again.json` is the report of the files that ran a second time. It replaces what they came to before.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder, command] = process.argv.slice(2);
const AGAIN = 'again.json';

/** A file that could not be run counts as one failed test. */
function readReport(name) {
  const { testResults } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
  return testResults.map(({ name: file, status, assertionResults }) => {
    const tests = assertionResults.map((test) => ({ name: test.fullName, status: test.status }));
    const didNotRun = status === 'failed' && !tests.some(hasFailed);
    return { file, tests: didNotRun ? [...tests, { name: file, status: 'failed' }] : tests };
  });
}

function hasFailed({ status }) {
  return status === 'failed';
}

const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
const again = names.filter((name) => name === AGAIN).flatMap(readReport);
const first = names.filter((name) => name !== AGAIN).flatMap(readReport);
const failed = first.filter(({ tests }) => tests.some(hasFailed));

if (command === 'failed') {
  for (const file of new Set(failed.map(({ file }) => file))) process.stdout.write(`${file}\n`);
} else {
  const repeated = new Set(again.map(({ file }) => file));
  const replaced = failed.filter(({ file }) => repeated.has(file));
  for (const { name } of replaced.flatMap(({ tests }) => tests).filter(hasFailed)) {
    process.stdout.write(`failed beside other tests: ${name}\n`);
  }
  const last = [...first.filter((result) => !replaced.includes(result)), ...again];
  const count = (wanted) =>
    last.flatMap(({ tests }) => tests).filter(({ status }) => status === wanted).length;
  if (count('passed') === 0 || count('failed') > 0) process.exitCode = 1;
  process.stdout.write(`${count('passed')} passed, ${count('failed')} failed\n`);
}
