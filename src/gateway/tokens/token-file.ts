import { z } from '@hono/zod-openapi';

import { formatJsonFault, parseJson } from '../../contract/json/parse-json.js';
import { Operation, parseInput } from '../../contract/index.js';

/** What a token allows. */
export const Scope = {
  /** Reads runs: status, result, events, explanation, report, list. */
  read: 'read',
  /** Starts runs and plans. */
  run: 'run',
  /** Pauses, resumes, aborts, cancels, extends and restores runs. */
  operate: 'operate',
  /** Says that videos have changed. Such a token stands in a URL, so it should have no other scope. */
  hint: 'hint',
  /** Decrypts and encrypts payloads at the codec server: it reads every input, secrets included. */
  codec: 'codec',
} as const;
export type Scope = (typeof Scope)[keyof typeof Scope];

const tokenSchema = z.strictObject({
  name: z.string().regex(/^[\w.-]{1,64}$/, {
    error: 'must be 1 to 64 letters, digits, "_", "." or "-": it is shown in the log',
  }),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, { error: 'must be 64 hexadecimal digits in lower case' }),
  scopes: z.array(z.enum(Scope)).min(1),
  operations: z.array(z.enum(Operation)).min(1).optional(),
  expires: z.iso
    .datetime({ offset: true, error: 'must be a time with its zone, such as 2027-01-31T00:00:00Z' })
    .optional(),
});

const tokenFileSchema = z
  .strictObject({ tokens: z.array(tokenSchema).min(1) })
  .superRefine(({ tokens }, context) => {
    const seen = new Set<string>();
    for (const [at, { name }] of tokens.entries()) {
      if (seen.has(name)) {
        context.addIssue({
          code: 'custom',
          path: ['tokens', at, 'name'],
          message: 'is there twice',
        });
      }
      seen.add(name);
    }
  });

/** Who calls, and what the caller may do. */
export interface Caller {
  name: string;
  scopes: readonly Scope[];
  /** Only runs of these operations; all when left out. */
  operations?: readonly Operation[] | undefined;
  /** Nobody in particular: the gateway has no tokens, and the call comes from this machine. */
  isLocal?: boolean;
}

export interface StoredToken extends Caller {
  /** SHA-256 of the token. The file does not hold the token itself. */
  digest: Buffer;
  /** Milliseconds since 1970; the token is worth nothing from then on. */
  expiresAt: number;
}

export type ParsedTokens = { ok: true; tokens: StoredToken[] } | { ok: false; faults: string[] };

/** Parses the token file. The faults name places, never values. */
export function parseTokenFile(text: string): ParsedTokens {
  const json = parseJson(text);
  if (!json.ok) return { ok: false, faults: [formatJsonFault(json)] };
  const parsed = parseInput(tokenFileSchema, json.value);
  if (!parsed.ok) {
    return { ok: false, faults: parsed.faults.map(({ path, message }) => `${path}: ${message}`) };
  }
  return {
    ok: true,
    tokens: parsed.value.tokens.map(({ sha256, expires, ...caller }) => ({
      ...caller,
      digest: Buffer.from(sha256, 'hex'),
      expiresAt: expires === undefined ? Infinity : Date.parse(expires),
    })),
  };
}
