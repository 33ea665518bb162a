import { z } from 'zod';

import { readApiKey } from './config/api-key.js';
import { checkBaseUrl, checkDirectory } from './config/checks.js';
import { ConfigurationError } from './config/configuration-error.js';
import { readClearSecrets } from './config/clear-secrets.js';
import { withoutEmpty, type Environment } from './config/environment.js';
import { checkHosts, toHosts } from './config/hosts.js';
import {
  readTemporalSettings,
  type TemporalConfig,
  type TemporalOverrides,
} from './config/temporal-config.js';
import { readSecrets, type SecretsConfig } from './config/secrets.js';
import { readWebhookSettings } from './config/webhook-settings.js';
import type { ClearSecrets } from './contract/clear-secrets.js';
import { ACCOUNT_NAME, DEFAULT_ACCOUNT } from './contract/names.js';
import { toPath } from './contract/parse-input.js';
import { DEFAULT_RECONCILE_GRACE_MS } from './contract/run-policy.js';
import type { WebhookSettings } from './contract/webhook-settings.js';

export { ConfigurationError } from './config/configuration-error.js';
export type { TemporalConfig } from './config/temporal-config.js';

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
  /** Where the secrets are that inputs name. */
  secrets: SecretsConfig;
  /** Whether inputs may hold secrets in clear, where that is set. */
  clearSecrets: ClearSecrets | undefined;
  /** Remarks on settings that work but may surprise. */
  notices: string[];
}

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
  const secrets = readSecrets(given, faults);
  const clearSecrets = readClearSecrets(given, faults);
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
    secrets,
    clearSecrets,
    notices,
  };
}

/** Whether a client with this environment may send secrets in clear, where that is set. */
export function loadClearSecrets(environment: Environment = process.env): ClearSecrets | undefined {
  const faults: string[] = [];
  const clearSecrets = readClearSecrets(withoutEmpty(environment), faults);
  if (faults.length > 0) throw new ConfigurationError(faults);
  return clearSecrets;
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

/** Settings of the embedded server of `dev`, `demo` and the tests. */
export interface DevConfig {
  temporalAddress: string | undefined;
  temporalCliPath: string | undefined;
  searchPath: string;
  cacheHome: string | undefined;
  clearSecrets: ClearSecrets | undefined;
}

export function loadDevConfig(environment: Environment = process.env): DevConfig {
  return {
    temporalAddress: environment['TEMPORAL_ADDRESS'],
    temporalCliPath: environment['TEMPORAL_CLI_PATH'],
    searchPath: environment['PATH'] ?? '',
    cacheHome: environment['XDG_CACHE_HOME'],
    clearSecrets: loadClearSecrets(environment),
  };
}
