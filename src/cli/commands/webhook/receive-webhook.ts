import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';

import { WebhookVerificationError, Webhook } from 'standardwebhooks';

import { parseWebhookSecrets } from '../../../engine/core/webhook-settings.js';
import type { WebhookBody, WebhookEvent } from '../../../engine/core/webhooks.js';
import { parseInput } from '../../../engine/schema/parse-input.js';
import { webhookBodySchema } from '../../../contract/documents.js';
import { codeOf } from '../../output/error-text.js';

const KEPT_IDS = 1_000;

export interface WebhookRequest {
  method: string;
  headers: IncomingHttpHeaders;
  /** Missing when it is too large. */
  body: string | undefined;
}

/** What to answer, and what to tell: either a new event or a notice. */
export type Receipt = { status: number } & ({ event: WebhookEvent } | { notice: string });

export interface ReceiverOptions {
  /** Read again for each request, so a rotation is seen. */
  secretFile: string;
  /** Answer to a valid webhook. */
  answer: number;
}

/** Checks webhooks as a receiver should, and tells each event once. */
export function createReceiver({
  secretFile,
  answer,
}: ReceiverOptions): (request: WebhookRequest) => Promise<Receipt> {
  const isNew = createMemory();
  return async ({ method, headers, body }) => {
    if (method !== 'POST') return refusal(405, `${method} is no webhook: send a POST`);
    if (body === undefined) return refusal(413, 'the body is larger than 256 KiB: no webhook is');
    const read = await readSecrets(secretFile);
    if (!read.ok) return refusal(500, `${secretFile} ${read.fault}`);
    const message = { id: one(headers['webhook-id']), headers, body };
    const fault = signatureFault(message, read.secrets);
    if (fault !== undefined) return refusal(401, fault);
    const parsed = parseBody(body);
    if (!parsed.ok) return refusal(400, parsed.fault);
    const event = { id: message.id, body: parsed.value };
    if (isNew(event.id)) return { status: answer, event };
    const notice = `answered ${answer}: ${event.id} (${event.body.type}) came again, so it is not printed`;
    return { status: answer, notice };
  };
}

function refusal(status: number, reason: string): Receipt {
  return { status, notice: `answered ${status}: ${reason}` };
}

/** Whether an id is new. A sender repeats what it got no answer to. */
function createMemory(): (id: string) => boolean {
  const ids = new Set<string>();
  return (id) => {
    if (ids.has(id)) return false;
    ids.add(id);
    const [oldest] = ids;
    if (ids.size > KEPT_IDS && oldest !== undefined) ids.delete(oldest);
    return true;
  };
}

const UNSIGNED =
  'a header is missing: a webhook has webhook-id, webhook-timestamp and webhook-signature';
const WRONG_TIME =
  'its time is more than 5 minutes off: set the clock here or at the sender, or sign it again';
const WRONG_SIGNATURE =
  'no signature fits: write the secret of the worker into --secret-file, and let nothing on the way change the body';

const FAULTS: Readonly<Record<string, string>> = {
  'Missing required headers': UNSIGNED,
  'Invalid Signature Headers': WRONG_TIME,
  'Message timestamp too old': WRONG_TIME,
  'Message timestamp too new': WRONG_TIME,
};

type Message = Pick<WebhookRequest, 'headers'> & { id: string; body: string };

/** Why no secret fits; `undefined` when one does. */
function signatureFault(message: Message, secrets: readonly Webhook[]): string | undefined {
  const faults = secrets.map((secret) => faultWith(secret, message));
  return faults.includes(undefined) ? undefined : faults[0];
}

function faultWith(secret: Webhook, { id, headers, body }: Message): string | undefined {
  const signed = {
    'webhook-id': id,
    'webhook-timestamp': one(headers['webhook-timestamp']),
    'webhook-signature': one(headers['webhook-signature']),
  };
  try {
    secret.verify(body, signed, { jsonParse: false });
    return undefined;
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return FAULTS[error.message] ?? WRONG_SIGNATURE;
  }
}

/** Node joins what is repeated of such a header, so it is one text. */
function one(header: string | string[] | undefined): string {
  return String(header ?? '');
}

type ParsedBody = { ok: true; value: WebhookBody } | { ok: false; fault: string };

function parseBody(body: string): ParsedBody {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return { ok: false, fault: 'the signature is right, but the body is not JSON' };
  }
  const parsed = parseInput(webhookBodySchema, json);
  if (parsed.ok) return parsed;
  const [{ path, message } = { path: 'it', message: 'has a fault' }] = parsed.faults;
  const advice = 'take this command and the worker from the same version';
  return { ok: false, fault: `no webhook of a run: ${path} ${message}; ${advice}` };
}

export type Secrets = { ok: true; secrets: Webhook[] } | { ok: false; fault: string };

/** The signing secrets of a file. A fault never shows what the file says. */
export async function readSecrets(file: string): Promise<Secrets> {
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (error) {
    const code = codeOf(error) ?? 'unknown error';
    const reason = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
    return { ok: false, fault: `${reason}: name the file with the secret that the worker has` };
  }
  const parsed = parseWebhookSecrets(bytes);
  if (!parsed.ok) return parsed;
  return { ok: true, secrets: parsed.secrets.map((secret) => new Webhook(secret)) };
}
