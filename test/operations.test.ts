import { existsSync, readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

import { z } from 'zod';

import { OPERATIONS, operationSchemas } from '../src/contract/operations/index.js';
import { Operation, parseInput } from '../src/contract/index.js';
import * as workflows from '../src/workflows/index.js';
import { runCaptured } from './support/cli/run-captured.js';
import { badInputsFrom } from './support/inputs/bad-input.js';
import { BAD_INPUTS } from './support/operations/index.js';

const WORKFLOWS_PAGE = 'docs/workflows.md';

/** Fields that all inputs have: the page names them once. */
const COMMON = new Set(['account', 'onBlocked', 'deadline', 'planOnly', 'notify']);

/** The section of an operation in the list of the workflows; empty when there is none. */
function sectionOf(operation: Operation): string {
  const sections = readFileSync(WORKFLOWS_PAGE, 'utf8').split(/^## /m);
  return sections.find((text) => text.startsWith(`${operation}\n`)) ?? '';
}

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
    for (const option of words.filter((word) => word.startsWith('--'))) {
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

  it('has inputs that its plan refuses', () => {
    const own = BAD_INPUTS.filter((bad) => bad.operation === operation);

    expect(own.length).toBeGreaterThan(0);
  });

  it.each(['input', 'result'] as const)(
    'has each field of its %s in docs/workflows.md',
    (which) => {
      const schema = z.toJSONSchema(operationSchemas[operation][which], { io: 'input' });
      const fields = Object.keys(
        z.object({ properties: z.looseObject({}) }).parse(schema).properties,
      );
      const text = sectionOf(operation);

      const missing = fields.filter((field) => !COMMON.has(field) && !text.includes(`\`${field}`));

      expect(missing).toEqual([]);
    },
  );

  it('has a section in docs/workflows.md that links to a page about it', () => {
    const page = /\(([\w-]+\.md)\)/.exec(sectionOf(operation))?.[1] ?? 'missing.md';

    expect({ page, exists: existsSync(`docs/${page}`) }).toMatchObject({ exists: true });
    expect(readFileSync(`docs/${page}`, 'utf8')).toContain(`\`${operation}\``);
  });
});
