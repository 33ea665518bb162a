import { decodeText } from './decode-text.js';
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

/** During a rotation the new one and the old one, until all receivers know the new one. */
const MAX_SECRETS = 2;
const PREFIX = 'whsec_';
/** What Standard Webhooks asks for. */
const MIN_BYTES = 24;
const MAX_BYTES = 64;

const RULE = `must be one or two lines, each "${PREFIX}" and ${MIN_BYTES} to ${MAX_BYTES} bytes in base64`;

/** The signing secrets in a file. A fault never shows what the file says. */
export function parseWebhookSecrets(
  bytes: Uint8Array,
): { ok: true; secrets: string[] } | { ok: false; fault: string } {
  const decoded = decodeText(bytes);
  if (!decoded.ok) return decoded;
  const secrets = decoded.text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const isSound = secrets.length > 0 && secrets.length <= MAX_SECRETS && secrets.every(isSecret);
  return isSound ? { ok: true, secrets } : { ok: false, fault: RULE };
}

function isSecret(line: string): boolean {
  const encoded = line.startsWith(PREFIX) ? line.slice(PREFIX.length) : '';
  const bytes = Buffer.from(encoded, 'base64');
  const isCanonical = bytes.toString('base64') === encoded;
  return isCanonical && bytes.length >= MIN_BYTES && bytes.length <= MAX_BYTES;
}
