// JavaScript, because replay-server.js runs as a separate process.
import { Buffer } from 'node:buffer';

import proto from '@temporalio/proto';

/** A secret of a webhook, and a header with a key or a token. */
const SHAPES = /whsec_[\w+/]{16}|\b(?:apikey|bearer) [\w$.~-]{12}/i;

/**
 * Why a history must not be shown to anybody; empty if it holds neither this API key, in clear or inside base64, nor what
 * looks like a secret.
 */
export function secretsIn({ workflowId, history }, apiKey) {
  const forms = [apiKey, ...['', ':', '::'].map((before) => insideBase64(before, apiKey))];
  return (history.events ?? []).flatMap((event) => {
    const bytes = Buffer.from(proto.temporal.api.history.v1.HistoryEvent.encode(event).finish());
    const isThere =
      forms.some((form) => bytes.includes(form)) || SHAPES.test(bytes.toString('latin1'));
    return isThere ? [`${workflowId}, event ${event.eventId}, shows a secret`] : [];
  });
}

/** Without the digits that what stands before and after it changes. */
function insideBase64(before, text) {
  return Buffer.from(`${before}${text}::`).toString('base64').slice(4, -8);
}
