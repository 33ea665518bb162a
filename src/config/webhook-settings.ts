import { readdirSync, readFileSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

import { z } from 'zod';

import { PRODUCT } from '../contract/wire/product.js';
import type { Fault } from '../engine/core/failures.js';
import { ACCOUNT_NAME } from '../engine/core/names.js';
import { notifySchema, type NotifyTarget } from '../engine/schema/notify.js';
import { parseInput } from '../engine/schema/parse-input.js';
import {
  parseWebhookSecrets,
  bindingFault,
  hostFault,
  type WebhookSettings,
} from '../engine/core/webhook-settings.js';
import { checkHosts } from './hosts.js';
import { readJson } from './read-json.js';

const SETTING = PRODUCT.settings.webhooks;

const hostsSchema = z
  .array(z.string().transform((host) => host.trim().toLowerCase()))
  .superRefine(checkHosts)
  .default([]);

const fileSchema = z.strictObject({
  hosts: hostsSchema,
  privateHosts: hostsSchema,
  secretsFolder: z.string().superRefine(checkFolder),
  secrets: z.record(z.string(), hostsSchema).default({}),
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
  if (!read.ok) return { faults: read.faults.map(withExample) };
  const parsed = parseInput<WebhookSettings>(fileSchema, read.json);
  if (!parsed.ok)
    return { faults: parsed.faults.map((fault) => `${fault.path}: ${fault.message}`) };
  const { notify } = parsed.value;
  const faults = [
    ...secretFaults(parsed.value),
    ...receiverFaults(parsed.value, notify).map((fault) => `notify.${fault}`),
  ];
  return faults.length > 0 ? { faults } : { settings: parsed.value };
}

function withExample({ path, message }: Fault): string {
  const what = path === '' ? message : `${path}: ${message}`;
  return `${what}; docs/webhooks.md shows an example`;
}

function checkFolder(path: string, context: z.RefinementCtx): void {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (isAbsolute(path) && isFolder) return;
  context.addIssue({ code: 'custom', message: 'must be the absolute path of a directory' });
}

function secretFaults({ secretsFolder }: WebhookSettings): string[] {
  return secretNamesIn(secretsFolder).flatMap((name) => secretFault(secretsFolder, name));
}

/** Kubernetes keeps what it mounts in hidden folders beside the files. */
function secretNamesIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => !name.startsWith('.'));
}

/** The files with the signing secrets. */
export function secretFilesIn(folder: string): string[] {
  return secretNamesIn(folder).map((name) => join(folder, name));
}

function secretFault(folder: string, name: string): string[] {
  try {
    const parsed = parseWebhookSecrets(readFileSync(join(folder, name)));
    return parsed.ok ? [] : [`the signing secret "${name}" ${parsed.fault}`];
  } catch {
    return [`the signing secret "${name}" cannot be read`];
  }
}

/** What the worker refuses about receivers. Each fault begins with the account and the number of the receiver. */
export function receiverFaults(
  settings: WebhookSettings,
  notify: WebhookSettings['notify'],
): string[] {
  const names = new Set(readdirSync(settings.secretsFolder));
  const faultsOf = ({ url, secretName }: NotifyTarget): string[] => [
    ...[hostFault(url, settings, SETTING)].filter((fault) => fault !== undefined),
    ...(names.has(secretName)
      ? [bindingFault({ url, secretName }, settings, SETTING)].filter(
          (fault) => fault !== undefined,
        )
      : [`there is no signing secret "${secretName}"`]),
  ];
  return Object.entries(notify).flatMap(([account, targets]) =>
    targets.flatMap((target, at) => faultsOf(target).map((fault) => `${account}[${at}]: ${fault}`)),
  );
}
