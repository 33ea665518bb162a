import { createHash } from 'node:crypto';

import { z } from 'zod';

import { formatJsonFault, parseJson } from '../contract/parse-json.js';
import { Operation, parseInput } from '../contract/index.js';
import { ACCOUNT_NAME } from '../engine/core/names.js';

/** What a token allows. */
export const Scope = {
  /** Reads runs: status, result, events, explanation, report, list; on pages inputs too, without their secrets. */
  read: 'read',
  /** Starts runs and plans, and failed runs again. */
  run: 'run',
  /** Pauses, resumes, aborts, cancels, extends and restores runs. */
  operate: 'operate',
  /** Says that videos have changed. Such a token stands in a URL, so it should have no other scope. */
  hint: 'hint',
  /** Reads `/metrics`, which names no run and no caller: for Prometheus. */
  metrics: 'metrics',
  /** Decrypts and encrypts payloads at the codec server: it reads every input, secrets included. */
  codec: 'codec',
} as const;
export type Scope = (typeof Scope)[keyof typeof Scope];

/** What somebody tries first, and what an example has. */
const GUESSED: ReadonlySet<string> = new Set(
  ['', 'test', 'token', 'secret', 'password', 'changeme', 'admin', '<token>', 'my-token'].map(
    (text) => digestOf(text).toString('hex'),
  ),
);

const tokenSchema = z
  .strictObject({
    // The log has "-" for nobody.
    name: z.string().regex(/^(?!-$)[\w.-]{1,64}$/, {
      error:
        'must be 1 to 64 letters, digits, "_", "." or "-", and not "-": it is shown in the log',
    }),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, { error: 'must be 64 hexadecimal digits in lower case' })
      .refine((digest) => !GUESSED.has(digest), {
        error: 'is of a word that anybody guesses: make one with "gcore-workflows token new"',
      }),
    scopes: z.array(z.enum(Scope)).min(1),
    operations: z.array(z.enum(Operation)).min(1).optional(),
    accounts: z
      .array(z.string().regex(ACCOUNT_NAME, { error: 'must be the name of an account' }))
      .min(1)
      .optional(),
    expires: z.union([z.literal('never'), z.iso.datetime({ offset: true })], {
      error: 'must be a time with its zone, such as 2027-01-31T00:00:00Z, or "never"',
    }),
  })
  .refine(({ scopes, accounts }) => !scopes.includes(Scope.hint) || accounts !== undefined, {
    path: ['accounts'],
    error: 'is missing: a token with the scope "hint" names the accounts whose imports it may wake',
  });

const tokenFileSchema = z
  .strictObject({ tokens: z.array(tokenSchema).min(1) })
  .superRefine(({ tokens }, context) => {
    for (const field of ['name', 'sha256'] as const) {
      const seen = new Set<string>();
      for (const [at, token] of tokens.entries()) {
        const path = ['tokens', at, field];
        if (seen.has(token[field])) context.addIssue({ code: 'custom', path, message: TWICE });
        seen.add(token[field]);
      }
    }
  });

const TWICE = 'is there twice';

/** Who calls, and what the caller may do. */
export interface Caller {
  name: string;
  scopes: readonly Scope[];
  /** Only runs of these operations; all when left out. */
  operations?: readonly Operation[] | undefined;
  /** Only runs of these accounts; all when left out. */
  accounts?: readonly string[] | undefined;
  /** Nobody in particular: the gateway has no tokens, and the call comes from this machine. */
  isLocal?: boolean;
}

export interface StoredToken extends Caller {
  /** SHA-256 of the token. The file does not hold the token itself. */
  digest: Buffer;
  /** Milliseconds since 1970; the token is worth nothing from then on. */
  expiresAt: number;
}

export function hasExpired({ expiresAt }: Pick<StoredToken, 'expiresAt'>): boolean {
  return expiresAt <= Date.now();
}

/** SHA-256: what the file keeps of a token. */
export function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
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
      expiresAt: expires === 'never' ? Infinity : Date.parse(expires),
    })),
  };
}
