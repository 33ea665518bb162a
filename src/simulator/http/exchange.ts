import { setTimeout as sleep } from 'node:timers/promises';

import { cloudErrorBody } from './cloud-error.js';
import type { DelayAction, StatusAction } from '../faults/fault-rule.js';
import {
  type DueFaults,
  type EffectAction,
  type ExchangeAction,
  type FaultScript,
  type RateLimited,
  isProcessed,
} from '../faults/fault-script.js';
import type { Outcome } from './outcome.js';
import type { RequestLog } from './request-log.js';
import type { Effects } from '../state/start-task.js';

export type Exchange = (request: Request) => Promise<Outcome>;

export interface ExchangeParts {
  faults: FaultScript;
  log: RequestLog;
  process: (request: Request, effects: Effects) => Promise<Response>;
}

/** Wraps the whole API, authentication included, into its faults and its log. */
export function createExchange({ faults, log, process }: ExchangeParts): Exchange {
  return async (request) => {
    const due = faults.take(request);
    const end = log.begin(request);
    const outcome = await applyFaults(due, () => process(request, toEffects(due.effects)));
    end(outcome, due);
    return outcome;
  };
}

async function applyFaults(
  { exchange }: DueFaults,
  process: () => Promise<Response>,
): Promise<Outcome> {
  if (exchange === undefined) return { kind: 'answered', response: await process() };
  if (exchange.kind === 'delay')
    return { kind: 'answered', response: await delayed(exchange, process) };
  if (isProcessed(exchange)) await process();
  return toOutcome(exchange);
}

async function delayed(action: DelayAction, process: () => Promise<Response>): Promise<Response> {
  const response = action.afterProcessing === true ? await process() : undefined;
  await ('ms' in action ? sleep(action.ms) : Promise.allSettled([action.until]));
  return response ?? process();
}

function toOutcome(action: Exclude<ExchangeAction, DelayAction>): Outcome {
  switch (action.kind) {
    case 'drop-request':
    case 'drop-response':
      return { kind: 'dropped' };
    case 'hang':
      return { kind: 'hung' };
    case 'status':
      return { kind: 'answered', response: toResponse(action) };
    case 'rate-limit':
      return { kind: 'answered', response: toResponse(tooManyRequests(action)) };
  }
}

function tooManyRequests({ waitMs, retryAfter }: RateLimited): StatusAction {
  const seconds = String(Math.ceil(waitMs / 1000));
  return { kind: 'status', status: 429, ...(retryAfter && { retryAfter: seconds }) };
}

function toEffects(actions: readonly EffectAction[]): Effects {
  const effects: Effects = {};
  for (const action of actions) {
    if (action.kind === 'list-lag') {
      effects.listLagMs = action.ms;
      effects.taskLagMs = action.tasksAtOnce === true ? 0 : action.ms;
    } else if (action.kind === 'partial-batch') effects.maxItems = action.items;
    else if (action.kind === 'slow-task') effects.taskFactor = action.factor;
    else effects.taskError = { error: action.error, leftovers: action.leftovers ?? 'none' };
  }
  return effects;
}

const EXCEPTION_CLASS: Record<number, string> = {
  400: 'ValidationError',
  401: 'not_authenticated',
  403: 'ForbiddenError',
  404: 'NotFoundError',
  409: 'ConflictError',
};

/** HTTP allows no body with these statuses. */
const BODILESS = [204, 205, 304];

function toResponse({ status, retryAfter, body, contentType }: StatusAction): Response {
  const sent =
    body === undefined && status >= 400
      ? cloudErrorBody(EXCEPTION_CLASS[status] ?? 'HTTPError', `Simulated status ${status}`)
      : body;
  const headers = new Headers({ 'content-type': contentType ?? 'application/json' });
  if (retryAfter !== undefined) headers.set('retry-after', retryAfter);
  if (sent === undefined || BODILESS.includes(status)) {
    headers.delete('content-type');
    return new Response(null, { status, headers });
  }
  const text = typeof sent === 'string' ? sent : JSON.stringify(sent);
  return new Response(text, { status, headers });
}
