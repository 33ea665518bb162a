import { cancellationSignal } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';

import { isDefect, toDefect } from '../defects.js';
import { PrivateAddressError, postWebhook, type WebhookAnswer } from './post-webhook.js';
import { signedHeaders } from './signed-headers.js';
import { urlOf } from './receiver-reference.js';
import { FailureType, type FailureDetails } from '../../core/failures.js';
import type { Product } from '../../core/product.js';
import {
  parseWebhookSecrets,
  bindingFault,
  hostFault,
  mayBePrivate,
  type WebhookSettings,
} from '../../core/webhook-settings.js';
import { hostOf, type WebhookEvent, type WebhookTarget } from '../../core/webhooks.js';
import { OutOfTime, parseRetryAfter, writtenAt } from '../../http/deadline.js';
import { networkErrorCode } from '../../http/exchange.js';

type Read = { ok: true; secrets: Webhook[] } | { ok: false; fault: string };

/** The signing secrets of a name. Read for each delivery, so a rotation needs no restart. */
async function readWebhookSecrets(folder: string, name: string): Promise<Read> {
  let bytes: Buffer;
  try {
    bytes = await readFile(join(folder, name));
  } catch {
    const advice = 'add a file of this name to the folder of "secretsFolder"';
    return { ok: false, fault: `the worker cannot read a signing secret "${name}": ${advice}` };
  }
  const parsed = parseWebhookSecrets(bytes);
  if (!parsed.ok) return { ok: false, fault: `the signing secret "${name}" ${parsed.fault}` };
  return { ok: true, secrets: parsed.secrets.map((secret) => new Webhook(secret)) };
}

/** Limits how many calls go to one host at a time. */
export interface HostSlots {
  /** Waits for a slot. False: none was free in time. */
  take: (host: string, waitMs: number) => Promise<boolean>;
  free: (host: string) => void;
}

interface Host {
  taken: number;
  /** Calls that wait, in order. */
  waiting: Set<() => void>;
}

export function createHostSlots(perHost: number): HostSlots {
  const hosts = new Map<string, Host>();
  return {
    async take(name, waitMs) {
      const host = hosts.get(name) ?? { taken: 0, waiting: new Set() };
      hosts.set(name, host);
      if (host.taken >= perHost) return waitForSlot(host, waitMs);
      host.taken += 1;
      return true;
    },
    free(name) {
      const host = hosts.get(name);
      if (host === undefined) return;
      const [next] = host.waiting;
      // The slot passes on: a call that comes in between must not take it.
      if (next !== undefined) next();
      else host.taken -= 1;
      if (host.taken === 0) hosts.delete(name);
    },
  };
}

async function waitForSlot({ waiting }: Host, waitMs: number): Promise<boolean> {
  const stop = new AbortController();
  let isGiven = false;
  const give = (): void => {
    isGiven = true;
    waiting.delete(give);
    stop.abort();
  };
  waiting.add(give);
  // It rejects only when the slot is given.
  await delay(waitMs, undefined, { signal: stop.signal }).catch(() => undefined);
  waiting.delete(give);
  return isGiven;
}

export interface WebhookDeps {
  /** Whose runs are told about. */
  account: string;
  settings: WebhookSettings;
  product: Pick<Product, 'name' | 'settings'>;
  /** Sends one webhook; `postWebhook` by default. */
  post?: typeof postWebhook;
  /** How long a call waits while its receiver has ten others. */
  turnWithinMs?: number;
  /** Told of each try. */
  onTry?: (outcome: DeliveryOutcome) => void;
}

/** How one try to deliver ended. `refused`: the receiver answered with no 2xx. */
export type DeliveryOutcome =
  'delivered' | 'refused' | 'gone' | 'unreachable' | 'busy' | 'not_allowed' | 'defect';

export interface Delivery {
  target: WebhookTarget;
  event: WebhookEvent;
}

/** Longest time from the first byte to the status of the answer. */
const TIMEOUT_MS = 15_000;
/** A receiver that does not answer takes no more than these of the calls at a time. */
const CALLS_PER_HOST = 10;
const GONE = 410;
/** A call waits this long for its turn, then it comes again later. */
const TURN_WITHIN_MS = 5_000;

/**
 * Sends one event to one receiver, signed after Standard Webhooks (https://www.standardwebhooks.com).
 * A 2xx is a delivery; 410 says that the receiver wants no more. Everything else may pass: Temporal tries again.
 * A failure names the host of the receiver and never its URL.
 */
export function createWebhookActivities(deps: WebhookDeps) {
  const { post = postWebhook, turnWithinMs = TURN_WITHIN_MS, onTry } = deps;
  const slots = createHostSlots(CALLS_PER_HOST);
  return {
    async sendWebhook({ target, event }: Delivery): Promise<void> {
      const host = hostOf(target);
      const hasTurn = await slots.take(host, turnWithinMs);
      if (!hasTurn) {
        onTry?.('busy');
        throw busyFailure(host);
      }
      try {
        const message = await toMessage(deps, { target, event });
        judge(host, await post({ ...message, cancelled: cancellationSignal() }));
        onTry?.('delivered');
      } catch (error) {
        if (!cancellationSignal().aborted) onTry?.(outcomeOf(error));
        throw toFailure(host, error, deps.product.settings);
      } finally {
        slots.free(host);
      }
    },
  };
}

export type WebhookActivities = ReturnType<typeof createWebhookActivities>;

function outcomeOf(error: unknown): DeliveryOutcome {
  if (error instanceof PrivateAddressError) return 'not_allowed';
  if (isDefect(error)) return 'defect';
  if (!(error instanceof ApplicationFailure)) return 'unreachable';
  if (error.type === FailureType.refused) return 'not_allowed';
  return error.type === FailureType.notFound ? 'gone' : 'refused';
}

async function toMessage({ account, settings, product }: WebhookDeps, { target, event }: Delivery) {
  const { secretName } = target;
  const url = urlOf(target, settings.notify[account] ?? []);
  if (url === undefined) throw refusal(noReceiver(account, target));
  const fault =
    hostFault(url, settings, product.settings.webhooks) ??
    bindingFault({ url, secretName }, settings, product.settings.webhooks);
  if (fault !== undefined) throw refusal(fault);
  const read = await readWebhookSecrets(settings.secretsFolder, secretName);
  if (!read.ok) throw refusal(read.fault);
  const body = JSON.stringify(event.body);
  const sentAt = new Date();
  return {
    url,
    body,
    mayBePrivate: mayBePrivate(url, settings),
    timeoutMs: TIMEOUT_MS,
    headers: {
      ...signedHeaders(read.secrets, { id: event.id, sentAt, body }),
      'user-agent': product.name,
    },
  };
}

function noReceiver(account: string, target: WebhookTarget): string {
  return `the account ${account} has this receiver at ${hostOf(target)} no more: put it back into its "notify" if it shall hear of runs that are open`;
}

function judge(host: string, { status, retryAfter, date }: WebhookAnswer): void {
  if (status >= 200 && status < 300) return;
  const waitMs = parseRetryAfter(retryAfter ?? null, writtenAt(date));
  if (status === GONE) {
    throw failure(FailureType.notFound, `${host} answered 410: it wants no more webhooks`, {
      advice: 'Remove the receiver from `notify`.',
      nonRetryable: true,
    });
  }
  throw failure(FailureType.serviceUnavailable, `${host} answered ${status}`, {
    advice: 'A receiver must answer 2xx; a redirect is not followed.',
    ...(waitMs !== undefined && { nextRetryDelay: waitMs }),
  });
}

function busyFailure(host: string): ApplicationFailure {
  return failure(FailureType.serviceUnavailable, `${host} has not answered earlier webhooks yet`, {
    advice: 'The worker tries again.',
  });
}

/** It may be allowed with the next configuration of the workers, so it is tried again. */
function refusal(fault: string): ApplicationFailure {
  return failure(FailureType.refused, `Not sent: ${fault}`, {
    advice: 'The workers try again for a day.',
  });
}

function toFailure(host: string, error: unknown, settings: Product['settings']): unknown {
  if (error instanceof ApplicationFailure) return error;
  // A receiver cannot mend it: no tries for a day.
  if (isDefect(error)) return toDefect(error, undefined);
  cancellationSignal().throwIfAborted();
  if (error instanceof PrivateAddressError) {
    return refusal(
      `${host} has an address that is not public; if that is right, move it to "privateHosts" in the file that ${settings.webhooks} names`,
    );
  }
  const reason = error instanceof OutOfTime ? 'no answer in time' : networkErrorCode(error);
  return failure(FailureType.serviceUnavailable, `${host} could not be reached (${reason})`, {
    advice: 'Start the receiver.',
  });
}

function failure(
  type: FailureType,
  message: string,
  {
    advice,
    ...options
  }: FailureDetails &
    Pick<Parameters<typeof ApplicationFailure.create>[0], 'nonRetryable' | 'nextRetryDelay'>,
): ApplicationFailure {
  return ApplicationFailure.create({ type, message, details: [{ advice }], ...options });
}
