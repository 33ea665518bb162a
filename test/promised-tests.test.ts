import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { Operation } from '../src/contract/wire/names.js';
import promised from './support/jest/promised.js';
import { PROMISED } from './support/jest/promised-tests.js';
import rest from './support/jest/rest.js';

const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => resolve('test', name));

const isOf = (operation: string, path: string): boolean =>
  /\/workflows\/.*\.(server|sim)\.test\.ts$/.test(path) &&
  readFileSync(path, 'utf8').includes(`describe('${operation}`);

describe('npm test', () => {
  it('finds each test that it names', () => {
    const isThere = (name: string): boolean =>
      ['server', 'sim'].some((kind) => existsSync(join('test', `${name}.${kind}.test.ts`)));
    const missing = PROMISED.filter((name) => !isThere(name));

    expect(missing).toEqual([]);
  });

  it.each(Object.values(Operation))('runs the main way of %s', (operation) => {
    const { filtered } = promised(files);

    expect(filtered.filter((path) => isOf(operation, path))).not.toEqual([]);
  });

  it('and the rest together run each test once', () => {
    const both = [...promised(files).filtered, ...rest(files).filtered];

    expect(both.sort()).toEqual(files.sort());
  });
});
