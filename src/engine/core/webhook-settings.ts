import type { NotifyTarget } from '../schema/notify.js';

/** Where a worker may send webhooks, and how it signs them. All workers of a namespace need the same. */
export interface WebhookSettings {
  /** Reached by https and at public addresses only. With a port unless it is 443. */
  hosts: readonly string[];
  /** Reached at any address, by http too. */
  privateHosts: readonly string[];
  /** One file a secret, named after it, with one secret or, during a rotation, two lines. */
  secretsFolder: string;
  /** The hosts that each secret signs for: a starter chooses both, and must not sign as one system toward another. */
  secrets: Readonly<Record<string, readonly string[]>>;
  /** Who is told about the runs of an account whose input does not say it. */
  notify: Readonly<Record<string, readonly NotifyTarget[]>>;
}

type Allowed = Pick<WebhookSettings, 'hosts' | 'privateHosts'>;

/**
 * Why the worker does not send to this URL; `undefined` when it does.
 *
 * @param setting the setting of a worker that names the file of these settings
 */
export function hostFault(
  url: string,
  { hosts, privateHosts }: Allowed,
  setting: string,
): string | undefined {
  const { protocol, host } = new URL(url);
  if (privateHosts.includes(host)) return undefined;
  if (!hosts.includes(host)) {
    return `the worker does not allow the host ${host}: add it to "hosts" in the file that ${setting} names`;
  }
  return protocol === 'https:' ? undefined : 'must be https: http is for "privateHosts" only';
}

/** Why the worker does not sign with this secret for this URL; `undefined` when it does. */
export function bindingFault(
  { url, secretName }: Pick<NotifyTarget, 'url' | 'secretName'>,
  { secrets }: Pick<WebhookSettings, 'secrets'>,
  setting: string,
): string | undefined {
  const { host } = new URL(url);
  const hosts = new Map(Object.entries(secrets)).get(secretName) ?? [];
  if (hosts.includes(host)) return undefined;
  return `the signing secret "${secretName}" is not for the host ${host}: name the host under "secrets" in the file that ${setting} names`;
}

/** Whether this URL may lead to an address that is not public. */
export function mayBePrivate(url: string, { privateHosts }: Allowed): boolean {
  return privateHosts.includes(new URL(url).host);
}
