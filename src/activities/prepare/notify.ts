import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { PRODUCT } from '../../contract/wire/product.js';
import type { Fault } from '../../engine/core/failures.js';
import { notifySchema, toWebhookTarget, type NotifyTarget } from '../../engine/schema/notify.js';
import { ACCOUNT_NAME, DEFAULT_ACCOUNT } from '../../engine/core/names.js';
import type { WebhookTarget } from '../../engine/core/webhooks.js';
import {
  bindingFault,
  hostFault,
  type WebhookSettings,
} from '../../engine/core/webhook-settings.js';
import { toReference } from '../../engine/activities/webhooks/receiver-reference.js';
import type { PrepareDeps } from './prepare-deps.js';

type Webhooks = Pick<PrepareDeps, 'webhooks'>;

const SETTING = PRODUCT.settings.webhooks;

const NOT_SENT = `this worker sends no webhooks: leave it out, or set ${SETTING} for all workers (docs/webhooks.md)`;

const NO_SECRET =
  'the worker has no signing secret of this name: add a file of this name to its folder of secrets, or name another one';

/** What the worker refuses about the receivers of an input whose form is right. */
export function notifyFaults(input: unknown, { webhooks }: Webhooks): Fault[] {
  const given = input instanceof Object && 'notify' in input ? input.notify : undefined;
  const parsed = notifySchema.safeParse(given);
  if (!parsed.success || parsed.data.length === 0) return [];
  if (webhooks === undefined) return [{ path: 'notify', message: NOT_SENT }];
  return parsed.data.flatMap((target, at) => targetFaults(target, `notify[${at}]`, webhooks));
}

function targetFaults(
  { url, secretName }: NotifyTarget,
  path: string,
  webhooks: WebhookSettings,
): Fault[] {
  const refused = hostFault(url, webhooks, SETTING);
  const hasSecret = existsSync(join(webhooks.secretsFolder, secretName));
  const unfit = hasSecret ? bindingFault({ url, secretName }, webhooks, SETTING) : NO_SECRET;
  return [
    ...(refused === undefined ? [] : [{ path: `${path}.url`, message: refused }]),
    ...(unfit === undefined ? [] : [{ path: `${path}.secretName`, message: unfit }]),
  ];
}

/** Who is told: the receivers of the input, or else those of the account. */
export function notifyOf(
  account: string,
  given: readonly NotifyTarget[] | undefined,
  { webhooks }: Webhooks,
): { notify?: WebhookTarget[] } {
  const targets = given ?? (webhooks?.notify[account] ?? []).map(toReference);
  return targets.length === 0 ? {} : { notify: targets.map(toWebhookTarget) };
}

const refusedSchema = z
  .object({
    account: z.string().regex(ACCOUNT_NAME).catch(DEFAULT_ACCOUNT),
    notify: notifySchema.optional().catch(undefined),
  })
  .catch({ account: DEFAULT_ACCOUNT });

export function createReceiverActivities(deps: Webhooks) {
  return {
    /** Who is told about a run whose input was refused, as far as that can be read. */
    receiversOf(input: unknown): Promise<{ account: string; notify?: WebhookTarget[] }> {
      const { account, notify } = refusedSchema.parse(input);
      const allowed = notifyFaults(input, deps).length === 0 ? notify : undefined;
      return Promise.resolve({ account, ...notifyOf(account, allowed, deps) });
    },
  };
}
