import { isAbsolute } from 'node:path';

import { z } from 'zod';

import type { Fault } from '../engine/core/failures.js';
import { notifySchema } from '../engine/schema/notify.js';
import { parseInput } from '../engine/schema/parse-input.js';
import {
  accountNameSchema,
  authSchemeSchema,
  baseUrlSchema,
  DEFAULT_REQUESTS_PER_SECOND,
} from './account-fields.js';
import { formatFault, readJson } from './read-json.js';

const FILE = 'GCORE_ACCOUNTS_FILE';

const idSchema = z.number().int().positive({ error: 'must be above 0' });

const profileSchema = z.strictObject({
  keyFile: z
    .string()
    .refine(isAbsolute, { error: 'must be the absolute path of a file' })
    .optional(),
  keyVariable: z
    .string()
    .regex(/^[A-Za-z_]\w*$/, { error: 'must be the name of an environment variable' })
    .optional(),
  baseUrl: baseUrlSchema,
  authScheme: authSchemeSchema,
  requestsPerSecond: z
    .number()
    .positive({ error: 'must be above 0' })
    .default(DEFAULT_REQUESTS_PER_SECOND),
  projectId: idSchema.optional(),
  regionId: idSchema.optional(),
  projects: z
    .array(idSchema)
    .min(1, { error: 'must name a project; leave it out for all' })
    .optional(),
  notify: notifySchema.optional(),
});

/** What the accounts file says about one account. It never holds the key itself. */
export type AccountProfile = z.infer<typeof profileSchema>;

const fileSchema = z.strictObject({
  accounts: z
    .record(accountNameSchema, profileSchema)
    .refine((accounts) => Object.keys(accounts).length > 0, { error: 'must name an account' }),
});

export type AccountProfiles = Readonly<Record<string, AccountProfile>>;

export type ReadProfiles =
  { ok: true; accounts: AccountProfiles; text: string } | { ok: false; faults: Fault[] };

/** Reads the file that GCORE_ACCOUNTS_FILE names. Lists every fault with its path; none shows a key. */
export function readAccountProfiles(path: string): ReadProfiles {
  const read = readJson(path);
  if (!read.ok) return read;
  const parsed = parseInput<z.infer<typeof fileSchema>>(fileSchema, read.json);
  const crossed = crossFaults(read.json);
  if (parsed.ok && crossed.length === 0) {
    return { ok: true, accounts: parsed.value.accounts, text: read.text };
  }
  return { ok: false, faults: [...(parsed.ok ? [] : parsed.faults), ...crossed] };
}

type ReadNames = { ok: true; names: string[] } | { ok: false; faults: string[] };

const namesSchema = z.object({ accounts: z.record(accountNameSchema, z.unknown()) });

/** The names alone. Other faults of the file do not matter. */
export function readAccountNames(path: string): ReadNames {
  const read = readJson(path);
  if (!read.ok) return { ok: false, faults: read.faults.map((fault) => formatFault(FILE, fault)) };
  const parsed = parseInput<z.infer<typeof namesSchema>>(namesSchema, read.json);
  if (parsed.ok) return { ok: true, names: Object.keys(parsed.value.accounts) };
  return { ok: false, faults: parsed.faults.map((fault) => formatFault(FILE, fault)) };
}

const viewSchema = z.object({
  accounts: z.record(
    z.string(),
    z
      .object({
        keyFile: z.unknown().optional(),
        keyVariable: z.unknown().optional(),
        projectId: z.number().optional().catch(undefined),
        projects: z.array(z.unknown()).optional().catch(undefined),
      })
      // It is no object at all: the schema says so.
      .catch({ keyFile: 'unknown' }),
  ),
});
type View = z.infer<typeof viewSchema>['accounts'][string];

/** What fits no single field. It is looked for beside other faults, so that one look shows all. */
function crossFaults(json: unknown): Fault[] {
  const parsed = viewSchema.safeParse(json);
  if (!parsed.success) return [];
  return Object.entries(parsed.data.accounts).flatMap(([name, view]) =>
    [...keyFaults(view), ...projectFaults(view)].map(({ path, message }) => {
      return { path: `accounts.${name}.${path}`, message };
    }),
  );
}

function keyFaults({ keyFile, keyVariable }: View): Fault[] {
  if ((keyFile === undefined) !== (keyVariable === undefined)) return [];
  const message =
    keyFile === undefined
      ? 'is missing; name the file that holds the key, or the variable (keyVariable). The key itself does not belong into this file'
      : 'is there beside keyVariable; keep only one';
  return [{ path: 'keyFile', message }];
}

function projectFaults({ projectId, projects }: View): Fault[] {
  const isFit = projectId === undefined || projects === undefined || projects.includes(projectId);
  return isFit ? [] : [{ path: 'projectId', message: 'is not among "projects"' }];
}
