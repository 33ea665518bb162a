import type { CodecKeys } from '../codec/open-codec.js';
import type { WebhookSettings } from '../engine/core/webhook-settings.js';
import { readableByOthers } from '../files/readable-by-others.js';
import { secretFilesIn } from './webhook-settings.js';

interface Given {
  keys: readonly { keyFile?: string | undefined }[];
  codecKeys: CodecKeys | undefined;
  webhooks: WebhookSettings | undefined;
}

/** A warning for each file of secrets that others may read. */
export function warningsOfOpenFiles({ keys, codecKeys, webhooks }: Given): string[] {
  const files = [
    ...keys.map(({ keyFile }) => keyFile),
    codecKeys !== undefined && 'file' in codecKeys ? codecKeys.file : undefined,
    ...(webhooks === undefined ? [] : secretFilesIn(webhooks.secretsFolder)),
  ].filter((file) => file !== undefined);
  return [...new Set(files)].map(readableByOthers).filter((warning) => warning !== undefined);
}
