import { plural } from './plural.js';
import type { StatusDocument } from '../schema/status-document.js';

const MAX_REMARKS = 3;

/** What a reader of a status should know about its webhooks; nothing while all are delivered. */
export function webhookRemarks({ webhooks }: Pick<StatusDocument, 'webhooks'>): string[] {
  const { undelivered = [], pending = [] } = webhooks ?? {};
  const given = undelivered
    .slice(-MAX_REMARKS)
    .map(
      ({ type, sequence, host, at, reason }) =>
        `Webhook ${sequence} (${type}) to ${host} was given up at ${at}. ${reason}`,
    );
  const open = pending.map(
    ({ host, events, since }) =>
      `${plural(events, 'webhook')} to ${host} not delivered yet, since ${since}.`,
  );
  const others = undelivered.length - given.length;
  const more = others > 0 ? [`${plural(others, 'other webhook')} given up before.`] : [];
  return [...more, ...given, ...open];
}
