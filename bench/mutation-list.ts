import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One line of the engine, and a way to break it. */
export interface Mutation {
  name: string;
  file: string;
  line: string;
  broken: string;
  /** The tests that notice it: a pattern of their paths, or the focus of a search (`--only …`). Left out: the search below. */
  tests?: string;
}

/** One instance, and the faults that one run can meet. */
const PLAIN = '--plain --from 1 --seeds 600';
/** Where a search begins, and how many seeds it tries. */
const RANGE = ['--from', '90001', '--seeds', '300'];

/** The words of the search that has to notice it; `undefined` where tests have to. */
export function searchOf(tests = PLAIN): string[] | undefined {
  if (!tests.startsWith('--')) return undefined;
  const words = [...tests.matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, word = '']) => quoted ?? word,
  );
  return [...RANGE, ...words];
}

const FOLDER = 'bench/mutations';

/** All of `bench/mutations`: text before the first file of a list is for its readers. */
export function readMutations(): Mutation[] {
  return readdirSync(FOLDER).flatMap((name) =>
    parseMutations(readFileSync(join(FOLDER, name), 'utf8')),
  );
}

/** A patch without places: `--- FILE`, and for each line of it `@@ NAME` or `@@ NAME @@ TESTS OR SEARCH`, `-LINE`, `+BROKEN`. */
export function parseMutations(list: string): Mutation[] {
  const [, ...files] = list.split(/^--- /m);
  return files.flatMap((text) => {
    const [file = '', ...hunks] = text.split(/\n@@ /);
    return hunks.map((hunk) => toMutation(file.trim(), hunk));
  });
}

function toMutation(file: string, hunk: string): Mutation {
  const [head = '', ...rows] = hunk.trimEnd().split('\n');
  const [name = '', tests] = head.split(' @@ ');
  const textOf = (sign: string): string =>
    rows
      .filter((row) => row.startsWith(sign))
      .map((row) => row.slice(1))
      .join('\n');
  const [line, broken] = [textOf('-'), textOf('+')];
  const isWhole = rows.every((row) => /^[-+]/.test(row)) && line !== '' && line !== broken;
  if (!isWhole) throw new Error(`${file}: this is no change of a line: ${head}`);
  return { name, file, line, broken, ...(tests !== undefined && { tests }) };
}
