import { dirname, join, normalize } from 'node:path/posix';

export interface Tests {
  /** Paths of test files. */
  run: readonly string[];
  /** Test files that import what was asked for too, and are not run. */
  leftOut: readonly string[];
}

interface Repository {
  /** All test files, relative to the project. */
  tests: readonly string[];
  /** The files that a test file imports, relative to the project and without their ending. */
  importsOf: (test: string) => readonly string[];
}

const ENDING = /(?:\.(?:server|sim))?(?:\.test)?\.tsx?$/;

/**
 * The tests of a file or a folder below `src` or `test`: those that have its name, else those that import it, else those of the
 * nearest folder that has any.
 *
 * @param path relative to the project
 */
export function testsOf(path: string, { tests, importsOf }: Repository): Tests {
  const asked = normalize(path).replace(/\/$/, '');
  if (tests.includes(asked)) return { run: [asked], leftOut: [] };
  const name = asked.replace(ENDING, '');
  const importing = tests.filter((test) => importsOf(test).includes(name));
  const mirror = name.replace(/^src(?=\/|$)/, 'test');
  const run = below(mirror, tests);
  if (run.length > 0) return { run, leftOut: importing.filter((test) => !run.includes(test)) };
  return { run: importing.length > 0 ? importing : nearest(dirname(mirror), tests), leftOut: [] };
}

/** None where only the folder of all tests is left. */
function nearest(folder: string, tests: readonly string[]): readonly string[] {
  if (!folder.includes('/')) return [];
  const run = below(folder, tests);
  return run.length > 0 ? run : nearest(dirname(folder), tests);
}

/** The tests of this name, and those in the folder of this name. */
function below(mirror: string, tests: readonly string[]): readonly string[] {
  return tests.filter((test) => {
    const name = test.replace(ENDING, '');
    return name === mirror || name.startsWith(`${mirror}/`);
  });
}

const IMPORTED = /\bfrom '(\.[^']+)\.js'/g;

/** What a test file names in its imports, as `importsOf` gives it. */
export function importsIn(test: string, text: string): string[] {
  return [...text.matchAll(IMPORTED)].map(([, path = '']) => join(dirname(test), path));
}
