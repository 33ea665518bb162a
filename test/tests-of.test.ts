import { describe, expect, it } from '@jest/globals';

import { importsIn, testsOf } from './support/tests-of/tests-of.js';

const TESTS = [
  'test/engine/run/run.sim.test.ts',
  'test/engine/run/run-child.test.ts',
  'test/gateway/pages.server.test.ts',
  'test/workflows/delete-instance/busy.sim.test.ts',
  'test/workflows/delete-instance/steps/rest.test.ts',
  'test/workflows/resize-instance.sim.test.ts',
];
const importsOf = (test: string): string[] =>
  test.includes('busy') ? ['src/engine/run/run', 'src/engine/core/text'] : [];
const asked = (path: string) => testsOf(path, { tests: TESTS, importsOf });

describe('the tests of a path', () => {
  it.each([
    ['src/workflows/resize-instance.ts', [5]],
    ['src/workflows/delete-instance', [3, 4]],
    ['src/workflows/', [3, 4, 5]],
    ['test/gateway', [2]],
    ['test/engine/run/run-child.test.ts', [1]],
  ])('are those of its name: %s', (path, places) => {
    expect(asked(path).run).toEqual(places.map((place) => TESTS[place]));
  });

  it('leave out tests that only import it, and name them', () => {
    expect(asked('src/engine/run/run.ts')).toEqual({ run: [TESTS[0]], leftOut: [TESTS[3]] });
  });

  it('are those that import it, where none has its name', () => {
    expect(asked('src/engine/core/text.ts').run).toEqual([TESTS[3]]);
  });

  it('are those of the nearest folder, where none imports it either', () => {
    expect(asked('src/workflows/delete-instance/steps/other.ts').run).toEqual([TESTS[4]]);
    expect(asked('src/gateway/routes/deep/other.ts').run).toEqual([TESTS[2]]);
  });

  it('are none for what is nowhere', () => {
    expect(asked('src/nowhere/other.ts').run).toEqual([]);
  });
});

it('what a test imports is told relative to the project', () => {
  const text = `import { a } from '../../src/engine/run/run.js';\nimport { b } from './beside.js';\nimport { c } from 'zod';`;

  expect(importsIn('test/engine/x.test.ts', text)).toEqual([
    'src/engine/run/run',
    'test/engine/beside',
  ]);
});
