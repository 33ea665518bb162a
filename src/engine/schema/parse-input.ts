import { z } from 'zod';

import type { Fault } from '../core/failures.js';
import {
  toPath,
  firstFaults,
  MAX_FAULTS,
  MAX_VALUES,
  shapeFaults,
  textFaults,
} from '../core/faults.js';
import { parseDuration } from '../core/times.js';

/** A union tells the same fault several times. Thousands of faults are only counted. */
const MAX_COMPARED = 1_000;

/** The first faults of a failed parse, without repetitions, and how many more there are. */
function toFaults({ issues }: z.ZodError): Fault[] {
  const compared = issues.slice(0, MAX_COMPARED);
  const named = compared.flatMap(faultsOf);
  const unique = new Map(named.map((fault) => [`${fault.path} ${fault.message}`, fault]));
  const unnamed = compared.reduce((sum, issue) => sum + keysOf(issue).slice(MAX_FAULTS).length, 0);
  const rest = issues.slice(MAX_COMPARED).length;
  return firstFaults([...unique.values()], unique.size + unnamed + rest);
}

function keysOf(issue: z.core.$ZodIssue): string[] {
  return issue.code === 'unrecognized_keys' ? issue.keys : [];
}

/** An unknown key has its own path. */
function faultsOf(issue: z.core.$ZodIssue): Fault[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, MAX_FAULTS).map((key) => ({
      path: toPath([...issue.path, key]),
      message: 'is not a known field: check the spelling or remove it',
    }));
  }
  // The key of a record broke its rule. zod's own message is only "Invalid key in record".
  const inner = issue.code === 'invalid_key' ? issue.issues[0] : undefined;
  return [{ path: toPath(issue.path), message: inner?.message ?? issue.message }];
}

export type ParsedInput<T> = { ok: true; value: T } | { ok: false; faults: Fault[] };

/**
 * Parses an input from outside. Names at most 20 faults, and counts the rest. The client, the CLI and the worker give
 * the same messages.
 */
export function parseInput<T>(
  schema: z.ZodType<T>,
  input: unknown,
  { maxValues = MAX_VALUES }: { maxValues?: number } = {},
): ParsedInput<T> {
  const odd = shapeFaults(input, maxValues);
  if (odd.length > 0) return { ok: false, faults: odd };
  // JSON can carry what UTF-8 cannot: it would be written as something else, or by no call at all.
  const illFormed = textFaults(input);
  const parsed = schema.safeParse(input);
  if (parsed.success && illFormed.length === 0) return { ok: true, value: parsed.data };
  // With words of its own zod takes almost twice as long on Node 20, so only what is wrong is parsed with them.
  const { error } = hasOwnWords(parsed.error)
    ? parsed
    : schema.safeParse(input, { error: describeType });
  const broken = error === undefined ? [] : toFaults(error);
  return { ok: false, faults: firstFaults([...illFormed, ...broken]) };
}

/** Rules say themselves what is wrong: to look for thousands of secrets once more takes as long again. */
function hasOwnWords(error: z.ZodError | undefined): boolean {
  return error?.issues.every(({ code }) => code === 'custom') ?? false;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** Plain messages for zod's "expected string, received undefined" and "Invalid option". */
function describeType(issue: {
  code: string;
  input?: unknown;
  expected?: unknown;
  values?: readonly unknown[];
}): string | undefined {
  const { code, input, values } = issue;
  if (code !== 'invalid_type' && code !== 'invalid_value') return undefined;
  if (input === undefined) return 'is missing';
  if (code === 'invalid_value') return `must be one of ${(values ?? []).map(String).join(', ')}`;
  return `must be ${TYPE_NAMES[String(issue.expected)] ?? `of type ${String(issue.expected)}`}`;
}

/**
 * Makes rules between fields. zod skips such a rule when a field is wrong by itself. These rules are
 * always checked, because a person wants to read every fault at once. `viewSchema` reads the fields
 * that the rules look at; it accepts any value in every other field.
 */
export function crossFieldRule<View>(viewSchema: z.ZodType<View>) {
  return (field: string, message: string, holds: (view: View) => boolean) =>
    z.refine(
      (input: unknown) => {
        const view = viewSchema.safeParse(input);
        return !view.success || holds(view.data);
      },
      { path: [field], error: message, when: () => true },
    );
}

/** A duration as text; `toMilliseconds` converts it. */
export const durationSchema = z.string().superRefine((text, context) => {
  const parsed = parseDuration(text);
  if (!parsed.ok) context.addIssue({ code: 'custom', message: parsed.message });
});

/** Converts a text that `durationSchema` has accepted; `undefined` stays `undefined`. */
export function toMilliseconds(text: string | undefined): number | undefined {
  const parsed = parseDuration(text);
  return parsed.ok ? parsed.ms : undefined;
}
