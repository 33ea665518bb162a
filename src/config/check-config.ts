import {
  ConfigurationError,
  currentEnvironment,
  loadTemporalConfig,
  loadWorkerConfig,
  type WorkerConfig,
} from '../config.js';
import type { Check } from '../contract/check.js';
import { plural } from '../engine/core/text.js';
import { describeConfig, type DescribedConfig } from './describe-config.js';
import type { Environment } from './environment.js';
import type { TemporalOverrides } from './temporal-config.js';

export interface ConfigReport {
  ok: boolean;
  /** One for each part, or one for each of its faults. */
  checks: Check[];
  /** What the worker would use, without secrets; left out when it would not start. */
  config?: DescribedConfig;
}

interface CheckConfigOptions extends TemporalOverrides {
  /** Instead of GCORE_ACCOUNTS_FILE. */
  accountsFile?: string | undefined;
  environment?: Environment;
}

/** What a worker with this environment would say at its start. Reads files; contacts nobody. */
export function checkConfig({
  accountsFile,
  environment = currentEnvironment(),
  ...overrides
}: CheckConfigOptions = {}): ConfigReport {
  const given = {
    ...environment,
    ...(accountsFile !== undefined && { GCORE_ACCOUNTS_FILE: accountsFile }),
  };
  try {
    const config = loadWorkerConfig(given);
    const described = describeConfig(config, loadTemporalConfig(given, overrides));
    return { ok: true, checks: soundParts(config, described), config: described };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { ok: false, checks: faultyParts(error.faults) };
  }
}

/** The parts of a configuration, in the order in which they are shown, and the variables of each. */
const PARTS: readonly (readonly [name: string, variables: RegExp])[] = [
  ['accounts', /^GCORE_(ACCOUNT|API_KEY|BASE_URL|AUTH_|CLOUD_|REQUESTS_|PERMANENT_TOKEN|APIKEY)/],
  ['webhooks', /^GCORE_WEBHOOKS/],
  ['manifests', /^GCORE_MANIFEST/],
  ['runs', /^GCORE_(RECONCILE|TASK|CALL_API)/],
  ['Temporal', /^TEMPORAL_|of the Temporal profile/],
];

function faultyParts(faults: readonly string[]): Check[] {
  const found = faults.map((fault): Check => ({
    name: partOf(fault),
    state: 'fault',
    text: fault,
  }));
  const named = new Set(found.map(({ name }) => name));
  const sound = PARTS.filter(([name]) => !named.has(name)).map(([name]): Check => ({
    name,
    state: 'ok',
    text: 'no fault',
  }));
  return [...found, ...sound];
}

/** A variable that no part has is a part of its own. */
function partOf(fault: string): string {
  const [variable = fault] = fault.split(/[:,]/, 1);
  return PARTS.find(([, variables]) => variables.test(variable))?.[0] ?? variable;
}

function soundParts(config: WorkerConfig, { temporal, webhooks }: DescribedConfig): Check[] {
  const { accounts, accountsFile, manifestRoot, manifestHosts, notices } = config;
  const names = accounts.map(({ name }) => name);
  const others = Object.keys(accountsFile?.profiles ?? {}).filter((name) => !names.includes(name));
  const sources = [...(manifestRoot === undefined ? [] : [manifestRoot]), ...manifestHosts];
  const texts: Readonly<Record<string, string>> = {
    accounts: [
      `serves ${names.join(', ')}`,
      ...(others.length === 0 ? [] : [`knows ${others.join(', ')} too`]),
    ].join('; '),
    webhooks: webhooks === undefined ? 'off' : describeReceivers(webhooks),
    manifests: sources.length === 0 ? 'off' : `from ${sources.join(', ')}`,
    runs: `grace time ${config.reconcileGraceMs / 1000} s, watcher ${config.watcher ? 'on' : 'off'}`,
    Temporal: `${temporal.address}, namespace "${temporal.namespace}", TLS ${temporal.tls ? 'on' : 'off'}`,
  };
  return [
    ...PARTS.map(([name]): Check => ({ name, state: 'ok', text: texts[name] ?? '' })),
    ...notices.map((text): Check => ({ name: 'notice', state: 'ok', text })),
  ];
}

function describeReceivers({
  hosts,
  privateHosts,
  notify,
}: NonNullable<DescribedConfig['webhooks']>): string {
  const told = Object.keys(notify);
  const places = plural(hosts.length + privateHosts.length, 'host');
  return `${places}; receivers by default for ${told.length === 0 ? 'no account' : told.join(', ')}`;
}
