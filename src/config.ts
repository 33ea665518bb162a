import { readFileSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';

import { z } from 'zod';

import { ACCOUNT_NAME, DEFAULT_ACCOUNT } from './contract/names.js';
import { toPath } from './contract/parse-input.js';
import { plural } from './contract/plural.js';
import { DEFAULT_RECONCILE_GRACE_MS } from './contract/run-policy.js';
import type { WebhookSettings } from './contract/webhook-settings.js';
import { checkHosts, toHosts } from './manifest-hosts.js';
import {
  isLocalHost,
  readTemporalSettings,
  type TemporalConfig,
  type TemporalOverrides,
} from './temporal-config.js';
import { readWebhookSettings } from './webhook-settings.js';

export type { TemporalConfig } from './temporal-config.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Configuration of the worker, from the environment. Temporal's own part is in `loadTemporalConfig`. */
export interface WorkerConfig {
  apiKey: string;
  /** Name of the account that this worker serves: inputs choose it by this name. */
  account: string;
  authScheme: string;
  baseUrl: string;
  projectId: number | undefined;
  regionId: number | undefined;
  requestsPerSecond: number;
  reconcileGraceMs: number;
  /** Whether one watcher looks at the tasks of all runs. Otherwise each run looks by its own timers. */
  watcher: boolean;
  /** The worker reads manifests only below this directory; none when it is not set. */
  manifestRoot: string | undefined;
  /** Hosts from which the worker may read manifests over https. */
  manifestHosts: string[];
  /** Without it the worker sends no webhooks. */
  webhooks: WebhookSettings | undefined;
  /** Remarks on settings that work but may surprise. */
  notices: string[];
}

/** Lists every fault of the configuration. Nothing starts with a faulty one. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    const lines = faults.map((fault) => `  ${fault}`).join('\n');
    super(`The configuration has ${plural(faults.length, 'fault')}:\n${lines}`);
    this.faults = faults;
  }
}

/** Variables of other official tools. They work, with a notice. */
const OTHER_KEY_NAMES = ['GCORE_PERMANENT_TOKEN', 'GCORE_APIKEY'];

const idSchema = z.coerce.number({ error: 'must be a number' }).int().positive();

const accountSchema = z
  .string()
  .regex(ACCOUNT_NAME, { error: 'must be 1 to 63 lower-case letters, digits or "-"' })
  .default(DEFAULT_ACCOUNT);

const settingsSchema = z.object({
  GCORE_ACCOUNT: accountSchema,
  GCORE_BASE_URL: z.string().trim().default('https://api.gcore.com').superRefine(checkBaseUrl),
  GCORE_AUTH_SCHEME: z
    .string()
    .regex(/^[A-Za-z]+$/, { error: 'must be one word, such as apikey' })
    .default('apikey'),
  GCORE_CLOUD_PROJECT_ID: idSchema.optional(),
  GCORE_CLOUD_REGION_ID: idSchema.optional(),
  GCORE_REQUESTS_PER_SECOND: z.coerce
    .number({ error: 'must be a number' })
    .positive({ error: 'must be above 0' })
    .default(10),
  GCORE_RECONCILE_GRACE_SECONDS: z.coerce
    .number({ error: 'must be a number' })
    .positive({ error: 'must be above 0' })
    .default(DEFAULT_RECONCILE_GRACE_MS / 1000),
  GCORE_TASK_WATCHER: z.enum(['on', 'off'], { error: 'must be "on" or "off"' }).default('on'),
  GCORE_MANIFEST_ROOT: z.string().superRefine(checkDirectory).optional(),
  GCORE_WEBHOOKS_FILE: z.string().optional(),
  GCORE_MANIFEST_HOSTS: z.string().default('').transform(toHosts).superRefine(checkHosts),
});

/** Reads the settings of the worker. Throws `ConfigurationError` with all faults. */
export function loadWorkerConfig(environment: Environment = process.env): WorkerConfig {
  const faults: string[] = [];
  const notices: string[] = [];
  const given = withoutEmpty(environment);
  const apiKey = readApiKey(given, { faults, notices });
  const parsed = settingsSchema.safeParse(given);
  if (!parsed.success) {
    faults.push(...parsed.error.issues.map((issue) => `${toPath(issue.path)}: ${issue.message}`));
  }
  const webhooks = readWebhooks(given, faults);
  const temporal = readTemporalSettings(given);
  if (!temporal.ok) faults.push(...temporal.faults);
  if (!parsed.success || apiKey === undefined || faults.length > 0) {
    throw new ConfigurationError(faults);
  }
  const settings = parsed.data;
  return {
    apiKey,
    account: settings.GCORE_ACCOUNT,
    authScheme: settings.GCORE_AUTH_SCHEME,
    baseUrl: settings.GCORE_BASE_URL,
    projectId: settings.GCORE_CLOUD_PROJECT_ID,
    regionId: settings.GCORE_CLOUD_REGION_ID,
    requestsPerSecond: settings.GCORE_REQUESTS_PER_SECOND,
    reconcileGraceMs: settings.GCORE_RECONCILE_GRACE_SECONDS * 1000,
    watcher: settings.GCORE_TASK_WATCHER === 'on',
    manifestRoot: settings.GCORE_MANIFEST_ROOT,
    manifestHosts: settings.GCORE_MANIFEST_HOSTS,
    webhooks,
    notices,
  };
}

/** The account that a worker with this environment serves. Needs no API key. */
export function loadAccount({ GCORE_ACCOUNT: name }: Environment = process.env): string {
  const parsed = accountSchema.safeParse(name === '' ? undefined : name);
  if (parsed.success) return parsed.data;
  throw new ConfigurationError(
    parsed.error.issues.map(({ message }) => `GCORE_ACCOUNT: ${message}`),
  );
}

function readWebhooks(
  { GCORE_WEBHOOKS_FILE: path }: Environment,
  faults: string[],
): WebhookSettings | undefined {
  if (path === undefined) return undefined;
  const read = readWebhookSettings(path);
  if ('settings' in read) return read.settings;
  faults.push(...read.faults.map((fault) => `GCORE_WEBHOOKS_FILE: ${fault}`));
  return undefined;
}

interface Findings {
  faults: string[];
  notices: string[];
}

function readApiKey(environment: Environment, findings: Findings): string | undefined {
  const { GCORE_API_KEY: key, GCORE_API_KEY_FILE: file } = environment;
  if (key !== undefined && file !== undefined) {
    findings.faults.push('GCORE_API_KEY, GCORE_API_KEY_FILE: both are set; set only one');
  }
  if (file !== undefined) return readKeyFile(file, findings);
  const source = ['GCORE_API_KEY', ...OTHER_KEY_NAMES].find((name) => environment[name]);
  const found = source === undefined ? undefined : environment[source];
  if (source === undefined || found === undefined) {
    findings.faults.push(
      'GCORE_API_KEY: is missing; set it, or set GCORE_API_KEY_FILE to a file with the key',
    );
    return undefined;
  }
  if (source !== 'GCORE_API_KEY') {
    findings.notices.push(`The API key comes from ${source}. Better set GCORE_API_KEY.`);
  }
  return checkKey(found, source, findings);
}

function readKeyFile(file: string, findings: Findings): string | undefined {
  try {
    return checkKey(readFileSync(file, 'utf8'), 'GCORE_API_KEY_FILE', findings);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    findings.faults.push(`GCORE_API_KEY_FILE: cannot be read (${reason})`);
    return undefined;
  }
}

/** Checks the key before the first request: a line break or a space in a header fails every request. */
function checkKey(key: string, source: string, { faults }: Findings): string | undefined {
  const trimmed = key.trim();
  if (/^[\x21\x23-\x26\x28-\x7e]+$/.test(trimmed)) return trimmed;
  faults.push(`${source}: must be an API key: one word without spaces, quotes and line breaks`);
  return undefined;
}

function checkBaseUrl(text: string, context: z.RefinementCtx): void {
  const refuse = (message: string): void => {
    context.addIssue({ code: 'custom', message });
  };
  if (!URL.canParse(text)) {
    refuse('must be a URL; the default is https://api.gcore.com');
    return;
  }
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  if (username !== '' || password !== '') refuse('must not contain credentials');
  if (search !== '' || hash !== '') refuse('must not have a query or a fragment');
  if (protocol !== 'https:' && !(protocol === 'http:' && isLocalHost(hostname))) {
    refuse(
      'must be https, because http sends the API key unencrypted (http is allowed for loopback only)',
    );
  }
}

function checkDirectory(path: string, context: z.RefinementCtx): void {
  const isDirectory = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (isAbsolute(path) && isDirectory) return;
  context.addIssue({ code: 'custom', message: 'must be the absolute path of a directory' });
}

/**
 * Address, namespace, TLS and API key of the Temporal server, from Temporal's own variables and file.
 * Throws `ConfigurationError` with all faults.
 */
export function loadTemporalConfig(
  environment: Environment = process.env,
  overrides: TemporalOverrides = {},
): TemporalConfig {
  const settings = readTemporalSettings(withoutEmpty(environment), overrides);
  if (settings.ok) return settings.config;
  throw new ConfigurationError(settings.faults);
}

/** Docker Compose passes unset variables as empty texts, which would replace Temporal's defaults. */
function withoutEmpty(environment: Environment): Record<string, string> {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && value !== '') given[name] = value;
  }
  return given;
}

/** Settings of the embedded server of `dev`, `demo` and the tests. */
export interface DevConfig {
  temporalAddress: string | undefined;
  temporalCliPath: string | undefined;
  searchPath: string;
  cacheHome: string | undefined;
}

export function loadDevConfig(environment: Environment = process.env): DevConfig {
  return {
    temporalAddress: environment['TEMPORAL_ADDRESS'],
    temporalCliPath: environment['TEMPORAL_CLI_PATH'],
    searchPath: environment['PATH'] ?? '',
    cacheHome: environment['XDG_CACHE_HOME'],
  };
}
