import { readdirSync, readFileSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

import { z } from 'zod';

import { ACCOUNT_NAME } from '../contract/names.js';
import { notifySchema, type NotifyTarget } from '../contract/notify.js';
import { parseInput } from '../contract/parse-input.js';
import { parseWebhookSecrets } from '../contract/webhook-secrets.js';
import { hostFault, type WebhookSettings } from '../contract/webhook-settings.js';
import { checkHosts } from './hosts.js';

const hostsSchema = z
  .array(z.string().transform((host) => host.trim().toLowerCase()))
  .superRefine(checkHosts)
  .default([]);

const fileSchema = z.strictObject({
  hosts: hostsSchema,
  privateHosts: hostsSchema,
  secretsFolder: z.string().superRefine(checkFolder),
  notify: z
    .record(
      z.string().regex(ACCOUNT_NAME, { error: 'must be the name of an account' }),
      notifySchema,
    )
    .default({}),
});

type Read = { settings: WebhookSettings } | { faults: string[] };

/** Reads the file that GCORE_WEBHOOKS_FILE names. Each fault says where it is; none shows a URL or a secret. */
export function readWebhookSettings(path: string): Read {
  const read = readJson(path);
  if ('fault' in read) return { faults: [read.fault] };
  const parsed = parseInput<WebhookSettings>(fileSchema, read.json);
  if (!parsed.ok)
    return { faults: parsed.faults.map((fault) => `${fault.path}: ${fault.message}`) };
  const faults = [...secretFaults(parsed.value), ...receiverFaults(parsed.value)];
  return faults.length > 0 ? { faults } : { settings: parsed.value };
}

function readJson(path: string): { json: unknown } | { fault: string } {
  try {
    return { json: JSON.parse(readFileSync(path, 'utf8')) };
  } catch (error) {
    // The message of JSON.parse shows a part of the file.
    const reason = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read';
    return { fault: `${reason}; docs/webhooks.md shows an example` };
  }
}

function checkFolder(path: string, context: z.RefinementCtx): void {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (isAbsolute(path) && isFolder) return;
  context.addIssue({ code: 'custom', message: 'must be the absolute path of a directory' });
}

/** Kubernetes keeps what it mounts in hidden folders beside the files. */
function secretFaults({ secretsFolder }: WebhookSettings): string[] {
  return readdirSync(secretsFolder)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) => secretFault(secretsFolder, name));
}

function secretFault(folder: string, name: string): string[] {
  try {
    const parsed = parseWebhookSecrets(readFileSync(join(folder, name), 'utf8'));
    return parsed.ok ? [] : [`the signing secret "${name}" ${parsed.fault}`];
  } catch {
    return [`the signing secret "${name}" cannot be read`];
  }
}

function receiverFaults(settings: WebhookSettings): string[] {
  const names = new Set(readdirSync(settings.secretsFolder));
  const faultsOf = ({ url, secretName }: NotifyTarget): string[] => [
    ...[hostFault(url, settings)].filter((fault) => fault !== undefined),
    ...(names.has(secretName) ? [] : [`there is no signing secret "${secretName}"`]),
  ];
  return Object.entries(settings.notify).flatMap(([account, targets]) =>
    targets.flatMap((target, at) =>
      faultsOf(target).map((fault) => `notify.${account}[${at}]: ${fault}`),
    ),
  );
}
