import type { z } from 'zod';

import type { Fault } from './failures.js';
import { depthFaults } from './input-limits.js';
import { textFaults } from './text-faults.js';

/** `['instance', 'interfaces', 0, 'type']` → `instance.interfaces[0].type` */
export function toPath(segments: readonly PropertyKey[]): string {
  const path = segments
    .map((segment) => {
      if (typeof segment === 'number') return `[${segment}]`;
      return segment === '' ? '[""]' : `.${String(segment)}`;
    })
    .join('');
  return path.replace(/^\./, '') || '(input)';
}

/** Every fault of a failed parse, without repetitions. An unknown key has its own path. */
function toFaults(error: z.ZodError): Fault[] {
  const faults = error.issues.flatMap((issue): Fault[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        path: toPath([...issue.path, key]),
        message: 'is not a known field: check the spelling or remove it',
      }));
    }
    // The key of a record broke its rule. zod's own message is only "Invalid key in record".
    const inner = issue.code === 'invalid_key' ? issue.issues[0] : undefined;
    return [{ path: toPath(issue.path), message: inner?.message ?? issue.message }];
  });
  const unique = new Map(faults.map((fault) => [`${fault.path} ${fault.message}`, fault]));
  return [...unique.values()];
}

export type ParsedInput<T> = { ok: true; value: T } | { ok: false; faults: Fault[] };

/** Parses an input from outside. The client, the CLI and the worker give the same messages. */
export function parseInput<T>(schema: z.ZodType<T>, input: unknown): ParsedInput<T> {
  // zod and JSON would run out of stack.
  const tooDeep = depthFaults(input);
  if (tooDeep.length > 0) return { ok: false, faults: tooDeep };
  // JSON can carry what UTF-8 cannot: it would be written as something else, or by no call at all.
  const illFormed = textFaults(input, toPath);
  const parsed = schema.safeParse(input, { error: describeType });
  if (parsed.success && illFormed.length === 0) return { ok: true, value: parsed.data };
  return { ok: false, faults: [...illFormed, ...(parsed.success ? [] : toFaults(parsed.error))] };
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** Plain messages for zod's "expected string, received undefined". */
function describeType(issue: {
  code: string;
  input?: unknown;
  expected?: unknown;
}): string | undefined {
  if (issue.code !== 'invalid_type') return undefined;
  return issue.input === undefined
    ? 'is missing'
    : `must be ${TYPE_NAMES[String(issue.expected)] ?? `of type ${String(issue.expected)}`}`;
}

/** One line per fault, for a person. */
export function formatFaults(faults: readonly Fault[]): string {
  return faults.map((fault) => `  ${fault.path}: ${fault.message}`).join('\n');
}
