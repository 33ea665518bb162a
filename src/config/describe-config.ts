import type { CodecKeys } from '../codec/open-codec.js';
import type { TemporalConfig, WorkerConfig } from '../config.js';
import type { NotifyTarget } from '../engine/schema/notify.js';
import type { WebhookSettings } from '../engine/core/webhook-settings.js';
import type { AccountConfig } from './account-fields.js';
import type { SecretsConfig } from './secrets.js';

/** What the worker would use, as JSON. It holds no secret: URLs of receivers lose their path and query. */
export function describeConfig(config: WorkerConfig, temporal: TemporalConfig) {
  const { accounts, accountsFile, webhooks, codecKeys } = config;
  // A new setting does not compile until somebody decides how much of it is shown.
  const settings = {
    accounts: accounts.map(describeAccount),
    accountsFile: accountsFile && {
      path: accountsFile.path,
      accounts: Object.keys(accountsFile.profiles),
    },
    reconcileGraceMs: config.reconcileGraceMs,
    watcher: config.watcher,
    tasksPath: config.tasksPath,
    workflowStacks: config.workflowStacks,
    cachedRuns: config.cachedRuns,
    manifestRoot: config.manifestRoot,
    manifestHosts: config.manifestHosts,
    callApi: config.callApi,
    webhooks: webhooks && describeWebhooks(webhooks),
    codecKeys: codecKeys && describeCodecKeys(codecKeys),
    observe: config.observe,
    secrets: describeSecrets(config.secrets),
    clearSecrets: config.clearSecrets ?? 'only with a key ring',
    deployment: config.deployment,
    notices: config.notices,
  } satisfies Record<keyof WorkerConfig, unknown>;
  return { ...settings, temporal: describeTemporal(temporal) };
}

export type DescribedConfig = ReturnType<typeof describeConfig>;

function describeAccount({ keyFile, keyVariable, ...account }: AccountConfig) {
  return { ...account, apiKey: `(set, from ${keyFile ?? keyVariable ?? 'the program'})` };
}

function describeCodecKeys(keys: CodecKeys): string {
  return `(set, from ${'file' in keys ? keys.file : 'GCORE_CODEC_KEYS'})`;
}

/** Names only: the values of variables are the secrets. */
function describeSecrets(secrets: SecretsConfig) {
  if (secrets.kind !== 'environment') return secrets;
  return { kind: secrets.kind, variables: Object.keys(secrets.values) };
}

function describeWebhooks({ notify, ...rest }: WebhookSettings) {
  const receivers = Object.entries(notify).map(
    ([account, targets]) => [account, targets.map(describeReceiver)] as const,
  );
  return { ...rest, notify: Object.fromEntries(receivers) };
}

function describeReceiver({ url, secretName, events }: NotifyTarget) {
  const { host } = new URL(url);
  return { host, secretName, events: events ?? 'all' };
}

function describeTemporal({ connectionOptions, namespace = 'default' }: TemporalConfig) {
  const { address = 'localhost:7233', tls, apiKey, metadata = {} } = connectionOptions;
  const hasOwnTls = typeof tls === 'object' && tls !== null;
  return {
    address,
    namespace,
    tls: tls !== undefined && tls !== null && tls !== false,
    clientCertificate: hasOwnTls && tls.clientCertPair !== undefined ? '(set)' : undefined,
    apiKey: apiKey === undefined ? undefined : '(set)',
    headers: Object.keys(metadata),
  };
}
