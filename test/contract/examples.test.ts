import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';

import { describe, expect, it } from '@jest/globals';

import { itemFaults } from '../../src/contract/batch-items.js';
import { parseInput } from '../../src/contract/index.js';
import { OPERATIONS, operationSchemas } from '../../src/contract/operations/index.js';
import { runBatchInputSchema } from '../../src/contract/operations/run-batch.js';
import { Operation, prefixOf } from '../../src/contract/wire/names.js';

/** Also of the items of a batch, which its own schema leaves to their operation. */
function faultsOf(operation: Operation, input: unknown): unknown {
  const parsed = parseInput<unknown>(operationSchemas[operation].input, input);
  if (!parsed.ok) return parsed.faults;
  return operation === Operation.runBatch ? itemFaults(runBatchInputSchema.parse(input)) : [];
}

/** The examples in the comments of a definition: literals, as a caller would type them. */
function commentedExamples(operation: Operation): string[] {
  const code = readFileSync(`src/contract/operations/${prefixOf(operation)}.ts`, 'utf8');
  const comments = [...code.matchAll(/^ \* @example\n((?: \* .*\n)+?) \*\//gm)];
  return comments.map(([, text = '']) => text.replaceAll(/^ \* /gm, ''));
}

/** A fresh object of this realm. */
function evaluate(literal: string): unknown {
  return JSON.parse(JSON.stringify(runInContext(`(${literal})`, createContext())));
}

describe.each(Object.values(Operation))('the examples of %s', (operation) => {
  it('in its definition are an input', () => {
    expect(faultsOf(operation, OPERATIONS[operation].example)).toEqual([]);
  });

  it('in the comments of its definition are an input', () => {
    const faults = commentedExamples(operation).map((text) => faultsOf(operation, evaluate(text)));

    expect(faults.flat()).toEqual([]);
  });
});

it('there are examples in comments', () => {
  expect(Object.values(Operation).flatMap(commentedExamples).length).toBeGreaterThan(8);
});
