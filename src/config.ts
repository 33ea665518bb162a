import { z } from 'zod';

import {
  accountNameSchema,
  authSchemeSchema,
  baseUrlSchema,
  DEFAULT_REQUESTS_PER_SECOND,
  type AccountConfig,
} from './config/account-fields.js';
import { withReceivers } from './config/account-receivers.js';
import type { FoundKey } from './config/api-key.js';
import { loadCacheHome } from './config/cache-home.js';
import { checkCallPatterns, toCallPatterns } from './config/call-patterns.js';
import { checkDirectory } from './config/checks.js';
import { readCodecKeys } from './config/codec-keys.js';
import { ConfigurationError } from './config/configuration-error.js';
import { readDeployment, type DeploymentSettings } from './config/deployment.js';
import { withoutEmpty, type Environment } from './config/environment.js';
import { checkHosts, toHosts } from './config/hosts.js';
import { warningsOfOpenFiles } from './config/open-files.js';
import { readObservability, type Observability } from './config/observability.js';
import { readAlone } from './config/read-alone.js';
import {
  readTemporalSettings,
  type TemporalConfig,
  type TemporalOverrides,
} from './config/temporal-config.js';
import { warningsOfProxies } from './config/proxies.js';
import { readKeys, type AccountsFile, type Findings } from './config/read-keys.js';
import { readSecretSettings, type SecretSettings } from './config/secret-settings.js';
import { readWebhookSettings } from './config/webhook-settings.js';
import type { CodecKeys } from './codec/open-codec.js';
import { isLoopback } from './contract/wire/address.js';
import { paths } from './contract/wire/paths.js';
import { DEFAULT_ACCOUNT } from './engine/core/names.js';
import { toPath } from './engine/core/faults.js';
import { DEFAULT_RECONCILE_GRACE_MS, MAX_CALL_MS } from './engine/core/run-policy.js';
import type { WebhookSettings } from './engine/core/webhook-settings.js';

export { loadAccountNames } from './config/account-names.js';
export { ConfigurationError } from './config/configuration-error.js';
export type { AccountConfig } from './config/account-fields.js';
export { loadTraceSettings, NOT_OBSERVED, type Observability } from './config/observability.js';
export type { TemporalConfig } from './config/temporal-config.js';

/** Configuration of the worker, from the environment. Temporal's own part is in `loadTemporalConfig`. */
export interface WorkerConfig extends SecretSettings {
  /** The accounts that this worker serves. */
  accounts: readonly AccountConfig[];
  /** All accounts of the deployment, when they come from a file. */
  accountsFile: AccountsFile | undefined;
  reconcileGraceMs: number;
  /** Whether one watcher looks at the tasks of all runs. Otherwise each run looks by its own timers. */
  watcher: boolean;
  /** Where the API has its tasks, such as `/cloud/v1/tasks`. */
  tasksPath: string;
  /** Whether workflows have stack traces. They cost a third of the CPU of a workflow task. */
  workflowStacks: boolean;
  /** Runs that stay in memory between their workflow tasks. Any other run is replayed when it goes on. */
  cachedRuns: number;
  /** The worker reads manifests only below this directory; none when it is not set. */
  manifestRoot: string | undefined;
  /** Hosts from which the worker may read manifests over https. */
  manifestHosts: string[];
  /** The calls that inputs of `callApi` may name, such as `POST /cloud/v1/volumes/*\/*`. */
  callApi: string[];
  /** Without it the worker sends no webhooks. */
  webhooks: WebhookSettings | undefined;
  /** Without it payloads stay in clear. */
  codecKeys: CodecKeys | undefined;
  observe: Observability;
  /** Without it the workers of the workflows are not versioned. */
  deployment: DeploymentSettings | undefined;
  /** Remarks on settings that work but may surprise. */
  notices: string[];
}

/** Without a slash at its end. */
const TASKS_PATH = /^(?:\/[\w-]+)+$/;

/** At about 0.4 MiB each: docs/figures.md. */
export const DEFAULT_CACHED_RUNS = 1_000;
/** Beyond this a cache costs far more than it saves: docs/decisions/0064. */
const MOST_CACHED_RUNS = 10_000;

const idSchema = z.coerce.number({ error: 'must be a number' }).int().positive();

const settingsSchema = z.object({
  GCORE_ACCOUNT: accountNameSchema.default(DEFAULT_ACCOUNT),
  GCORE_BASE_URL: baseUrlSchema,
  GCORE_AUTH_SCHEME: authSchemeSchema,
  GCORE_CLOUD_PROJECT_ID: idSchema.optional(),
  GCORE_CLOUD_REGION_ID: idSchema.optional(),
  GCORE_REQUESTS_PER_SECOND: z.coerce
    .number({ error: 'must be a number' })
    .positive({ error: 'must be above 0' })
    .default(DEFAULT_REQUESTS_PER_SECOND),
  GCORE_RECONCILE_GRACE_SECONDS: z.coerce
    .number({ error: 'must be a number' })
    .positive({ error: 'must be above 0' })
    .default(DEFAULT_RECONCILE_GRACE_MS / 1000),
  GCORE_TASK_WATCHER: z.enum(['on', 'off'], { error: 'must be "on" or "off"' }).default('on'),
  GCORE_TASKS_ENDPOINT: z
    .string()
    .regex(TASKS_PATH, { error: 'must be a path such as /cloud/v1/tasks' })
    .default(paths.tasks()),
  GCORE_WORKFLOW_STACKS: z.enum(['on', 'off'], { error: 'must be "on" or "off"' }).default('off'),
  GCORE_CACHED_RUNS: z.coerce
    .number({ error: 'must be a number' })
    .int()
    .min(10)
    .max(MOST_CACHED_RUNS)
    .default(DEFAULT_CACHED_RUNS),
  GCORE_MANIFEST_ROOT: z.string().superRefine(checkDirectory).optional(),
  GCORE_WEBHOOKS_FILE: z.string().optional(),
  GCORE_MANIFEST_HOSTS: z.string().default('').transform(toHosts).superRefine(checkHosts),
  GCORE_CALL_API: z.string().default('').transform(toCallPatterns).superRefine(checkCallPatterns),
});

/** What this process was started with, for the parts in `config/`. */
export function currentEnvironment(): Environment {
  return process.env;
}

/** Reads the settings of the worker. Throws `ConfigurationError` with all faults. */
export function loadWorkerConfig(environment: Environment = process.env): WorkerConfig {
  const findings: Findings = { faults: [], notices: [] };
  const { faults, notices } = findings;
  const given = withoutEmpty(environment);
  const found = readKeys(given, findings);
  const parsed = settingsSchema.safeParse(given);
  if (!parsed.success) {
    faults.push(...parsed.error.issues.map((issue) => `${toPath(issue.path)}: ${issue.message}`));
  }
  const { accountsFile } = found;
  const webhooks = withReceivers(readWebhooks(given, faults), accountsFile?.profiles ?? {}, faults);
  const codecKeys = readCodecKeys(given, faults);
  const observe = readObservability(given, faults);
  const own = { keys: found.served, webhooks };
  const secretSettings = readSecretSettings(given, own, faults);
  const deployment = readDeployment(given, faults);
  const temporal = readTemporalSettings(given);
  if (!temporal.ok) faults.push(...temporal.faults);
  if (parsed.success) faults.push(...faultsOfGrace(parsed.data, found.served));
  if (!parsed.success || faults.length > 0) throw new ConfigurationError(faults);
  const settings = parsed.data;
  notices.push(...warningsOfOpenFiles({ keys: found.served, codecKeys, webhooks }));
  notices.push(...warningsOfProxies(given));
  return {
    accounts: found.served.map((account) =>
      'name' in account ? account : singleAccount(settings, account),
    ),
    accountsFile,
    reconcileGraceMs: settings.GCORE_RECONCILE_GRACE_SECONDS * 1000,
    watcher: settings.GCORE_TASK_WATCHER === 'on',
    tasksPath: settings.GCORE_TASKS_ENDPOINT,
    workflowStacks: settings.GCORE_WORKFLOW_STACKS === 'on',
    cachedRuns: settings.GCORE_CACHED_RUNS,
    manifestRoot: settings.GCORE_MANIFEST_ROOT,
    manifestHosts: settings.GCORE_MANIFEST_HOSTS,
    callApi: settings.GCORE_CALL_API,
    webhooks,
    codecKeys,
    observe,
    ...secretSettings,
    deployment,
    notices,
  };
}

/** A call whose answer was lost may arrive later than a shorter grace time ends. A simulator on this machine is fast. */
function faultsOfGrace(
  settings: z.infer<typeof settingsSchema>,
  served: readonly (AccountConfig | FoundKey)[],
): string[] {
  const urls = served.map((each) => ('name' in each ? each.baseUrl : settings.GCORE_BASE_URL));
  const isShort = settings.GCORE_RECONCILE_GRACE_SECONDS * 1000 < MAX_CALL_MS;
  return isShort && urls.some((url) => !isLoopback(new URL(url).hostname))
    ? [
        `GCORE_RECONCILE_GRACE_SECONDS: must be at least ${MAX_CALL_MS / 1000}: a call whose answer was lost may arrive so late`,
      ]
    : [];
}

function singleAccount(
  settings: z.infer<typeof settingsSchema>,
  { apiKey, keyFile, keyVariable }: FoundKey,
): AccountConfig {
  return {
    name: settings.GCORE_ACCOUNT,
    apiKey,
    keyFile,
    keyVariable,
    authScheme: settings.GCORE_AUTH_SCHEME,
    baseUrl: settings.GCORE_BASE_URL,
    requestsPerSecond: settings.GCORE_REQUESTS_PER_SECOND,
    projectId: settings.GCORE_CLOUD_PROJECT_ID,
    regionId: settings.GCORE_CLOUD_REGION_ID,
    projects: undefined,
  };
}

/** The keys of the payload codec; `undefined` when payloads stay in clear. Throws `ConfigurationError`. */
export function loadCodecKeys(environment: Environment = process.env): CodecKeys | undefined {
  return readAlone(environment, readCodecKeys);
}

/** Only the ports of health and metrics, for a worker that is not traced. Throws `ConfigurationError`. */
export function loadPorts(environment: Environment = process.env): Observability {
  return { ...readAlone(environment, readObservability), traces: undefined };
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
}

export function loadDevConfig(environment: Environment = process.env): DevConfig {
  return {
    temporalAddress: environment['TEMPORAL_ADDRESS'],
    temporalCliPath: environment['TEMPORAL_CLI_PATH'],
    searchPath: environment['PATH'] ?? '',
    cacheHome: loadCacheHome(environment),
  };
}
