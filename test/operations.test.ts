import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

import { z } from 'zod';

import { accountInputShape } from '../src/contract/operations/common-input.js';
import { OPERATIONS, operationSchemas } from '../src/contract/operations/index.js';
import { Operation, parseInput } from '../src/contract/index.js';
import * as workflows from '../src/workflows/index.js';
import { runCaptured } from './support/cli/run-captured.js';
import { badInputsFrom } from './support/inputs/bad-input.js';
import { BAD_INPUTS } from './support/operations/index.js';

describe.each(Object.values(Operation))('the operation %s', (operation) => {
  it('has a workflow that the worker knows: src/workflows/index.ts exports it', () => {
    expect(Object.keys(workflows)).toContain(operation);
  });

  it('has a command that starts it, with the options that `explain` names', async () => {
    const [name = '', ...words] = OPERATIONS[operation].startAgain('audit-7') ?? [];

    const { exitCode, stdout } = await runCaptured([name, '--help']);

    expect({ exitCode, stdout }).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(`Usage: gcore-workflows ${name}`),
    });
    for (const option of [...words, '--account'].filter((word) => word.startsWith('--'))) {
      expect(stdout).toContain(option);
    }
  });

  it('has a plan command', async () => {
    const { stdout } = await runCaptured(['plan', '--help']);

    expect(stdout).toContain(operation);
  });

  it('refuses an input without a field that it needs, and one with a field that it does not know', () => {
    for (const { input, path, says } of badInputsFrom(operation)) {
      const parsed = parseInput<unknown>(operationSchemas[operation].input, input);

      expect(parsed.ok ? [] : parsed.faults).toContainEqual({
        path,
        message: expect.stringMatching(says),
      });
    }
  });

  it('takes the fields that every input has', () => {
    const schema = z.toJSONSchema(operationSchemas[operation].input, { io: 'input' });

    expect(Object.keys(schema.properties ?? {})).toEqual(
      expect.arrayContaining(Object.keys(accountInputShape)),
    );
  });

  it('has inputs that its plan refuses', () => {
    const own = BAD_INPUTS.filter((bad) => bad.operation === operation);

    expect(own.length).toBeGreaterThan(0);
  });

  it('has a page that names it', () => {
    const { page } = OPERATIONS[operation];

    expect(readFileSync(`docs/${page}`, 'utf8')).toContain(`\`${operation}\``);
  });
});
