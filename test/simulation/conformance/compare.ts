import type { Outcome } from './run-scripts.js';

/** A script that went another way in the simulation. */
export interface Difference {
  name: string;
  /** Both sides, line by line; lines that differ have a mark. */
  text: string;
}

/** What differs between two sides that ran the same scripts. */
export function differences(
  expected: readonly Outcome[],
  actual: readonly Outcome[],
): Difference[] {
  const found: Difference[] = [];
  for (const outcome of expected) {
    const other = actual.find(({ name }) => name === outcome.name);
    const text = diff(lines(outcome.seen), other === undefined ? ['(not run)'] : lines(other.seen));
    if (text !== undefined) found.push({ name: outcome.name, text });
  }
  return found;
}

/** One line for each event, and for each observation. */
function lines(seen: unknown): string[] {
  if (!isObject(seen)) return [JSON.stringify(seen)];
  const { histories, observed } = seen;
  const ofRuns = Array.isArray(histories) ? histories.flatMap(linesOfRun) : [];
  const ofScript = isObject(observed)
    ? Object.entries(observed).map(([key, value]) => `saw ${key}: ${JSON.stringify(value)}`)
    : [`saw ${JSON.stringify(observed)}`];
  return [...ofRuns, ...ofScript];
}

function linesOfRun(history: unknown): string[] {
  if (!isObject(history)) return [JSON.stringify(history)];
  const { run, events } = history;
  const title = `run ${JSON.stringify(run)}`;
  if (!Array.isArray(events)) return [title, '  (gone)'];
  return [title, ...events.map((event) => `  ${JSON.stringify(event)}`)];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The shortest way from one text to the other, or undefined if they are equal. */
function diff(expected: readonly string[], actual: readonly string[]): string | undefined {
  if (expected.join('\n') === actual.join('\n')) return undefined;
  const common = longestCommon(expected, actual);
  const text: string[] = [];
  let [at, other] = [0, 0];
  for (const line of [...common, undefined]) {
    while (at < expected.length && expected[at] !== line) text.push(`- ${expected[at++] ?? ''}`);
    while (other < actual.length && actual[other] !== line) text.push(`+ ${actual[other++] ?? ''}`);
    if (line !== undefined) text.push(`  ${short(line)}`);
    at += 1;
    other += 1;
  }
  return text.join('\n');
}

const WIDTH = 90;

/** What both sides have only shows the place. */
function short(line: string): string {
  return line.length > WIDTH ? `${line.slice(0, WIDTH)} …` : line;
}

function longestCommon(a: readonly string[], b: readonly string[]): string[] {
  const lengths = Array.from({ length: a.length + 1 }, () =>
    new Array<number>(b.length + 1).fill(0),
  );
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    const row = lengths[i] ?? [];
    for (let j = b.length - 1; j >= 0; j -= 1) {
      row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const common: string[] = [];
  for (let [i, j] = [0, 0]; i < a.length && j < b.length;) {
    if (a[i] === b[j]) {
      common.push(a[i] ?? '');
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return common;
}
