import type { WebhookSettings } from '../engine/core/webhook-settings.js';
import type { AccountProfiles } from './account-profiles.js';
import { receiversIn } from './accounts.js';
import { receiverFaults } from './webhook-settings.js';

const FILE = 'GCORE_ACCOUNTS_FILE';

/**
 * The webhooks with the receivers of the accounts file. That file says who is told about an account; the webhooks file
 * says where webhooks may go at all, and how they are signed.
 */
export function withReceivers(
  webhooks: WebhookSettings | undefined,
  profiles: AccountProfiles,
  faults: string[],
): WebhookSettings | undefined {
  const notify = receiversIn(profiles);
  const names = Object.keys(notify);
  if (names.length === 0) return webhooks;
  if (webhooks === undefined) {
    faults.push(
      ...names.map(
        (name) =>
          `${FILE}: accounts.${name}.notify: needs GCORE_WEBHOOKS_FILE, which says where webhooks may go and how they are signed`,
      ),
    );
    return undefined;
  }
  const double = names.filter((name) => name in webhooks.notify);
  faults.push(
    ...double.map(
      (name) =>
        `${FILE}: accounts.${name}.notify: GCORE_WEBHOOKS_FILE has "notify.${name}" too; keep only one`,
    ),
    ...receiverFaults(webhooks, notify).map((fault) => `${FILE}: ${toNotifyPath(fault)}`),
  );
  return { ...webhooks, notify: { ...webhooks.notify, ...notify } };
}

/** `blue[0]: …` → `accounts.blue.notify[0]: …` */
function toNotifyPath(fault: string): string {
  return fault.replace(/^([^[]+)\[/, 'accounts.$1.notify[');
}
