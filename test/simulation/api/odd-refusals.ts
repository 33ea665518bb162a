import type { StrikeKind } from '../world/chaos.js';
import type { Draw } from '../time/draw.js';
import { answerOf, refusalOf } from './api-answer.js';
import type { ApiCall } from './api-call.js';
import type { Odd, OddityOptions, Refusal } from './oddity.js';

/** None of them says that something else is at work, or that a name is taken. */
const CONFLICTS = [
  ({ last }: ApiCall) => `Cannot do this to ${last} while it is in vm_state shelved_offloaded`,
  () => 'The request conflicts with the current state of the target resource',
  () => 'Invalid state',
] as const;

const FORBIDDEN = [
  'You do not have permission to perform this action.',
  'Forbidden',
  'Access to this resource is denied',
] as const;

/** Refusals without any reason that shows, once for each caller. */
export function oddRefusals({ chaos }: OddityOptions): Odd {
  const refused = new Set<string>();
  const once = (call: ApiCall, kind: 'conflict once' | 'forbidden once'): Draw | undefined => {
    const key = `${kind} ${call.caller}`;
    const draw = refused.has(key) ? undefined : chaos.strikes(kind, call.occasion);
    if (draw !== undefined) refused.add(key);
    return draw;
  };
  return {
    refuse(call): Refusal | undefined {
      const conflict = call.isMutation ? once(call, 'conflict once') : undefined;
      if (conflict !== undefined) {
        const text = conflict.pick(CONFLICTS)(call);
        return { answer: refusalOf(call, 409, text), says: ['CONFLICT FOR NO REASON'] };
      }
      const forbidden = once(call, 'forbidden once');
      if (forbidden === undefined) return undefined;
      const answer = refusalOf(call, 403, forbidden.pick(FORBIDDEN));
      return { answer, says: ['FORBIDDEN FOR NO REASON'] };
    },
  };
}

const MINUTE = 60_000;

/** What every call is refused for during a while, and does nothing. */
const PERIODS = {
  'key refused': {
    mostMs: 30 * MINUTE,
    status: 401,
    text: 'Invalid API token',
    says: 'KEY REFUSED',
  },
  maintenance: {
    mostMs: 180 * MINUTE,
    status: 503,
    text: 'The service is in maintenance',
    says: 'IN MAINTENANCE',
  },
} as const satisfies Partial<Record<StrikeKind, object>>;

/** All calls are refused for a while, whoever sends them. */
export function refusedPeriod({ chaos, clock }: OddityOptions, kind: keyof typeof PERIODS): Odd {
  const { mostMs, status, text, says } = PERIODS[kind];
  let until = -Infinity;
  return {
    refuse(call): Refusal | undefined {
      const draw = clock.now() < until ? undefined : chaos.strikes(kind, call.occasion);
      if (draw !== undefined) until = clock.now() + draw.number(5_000, draw.pick([MINUTE, mostMs]));
      if (clock.now() >= until || chaos.isCalm()) return undefined;
      return { answer: refusalOf(call, status, text), says: [says] };
    },
  };
}

const ERRORS = ['Internal error', 'The backend did not answer', 'Operation failed'] as const;

/** A success by its status alone: its body says an error, and nothing was done. Once for each caller. */
export function falseSuccesses({ chaos }: OddityOptions): Odd {
  const misled = new Set<string>();
  return {
    refuse(call): Refusal | undefined {
      const kind = 'error in a success';
      const draw = misled.has(call.caller) ? undefined : chaos.strikes(kind, call.occasion);
      if (draw === undefined) return undefined;
      misled.add(call.caller);
      const answer = { ...refusalOf(call, 500, draw.pick(ERRORS)), status: 200 };
      return { answer, says: ['200 THAT SAYS AN ERROR'] };
    },
  };
}

const CREATES = /^\/cloud\/v\d\/(?:instances|volumes|snapshots|floatingips)\/…\/…$/;
const CHECK = /\/check_limits$/;

interface Shortage {
  until: number;
  /** What is told beforehand; nothing where only the create knows. */
  isTold: boolean;
  attribute: string;
  status: number;
}

/** The quota is used up for a while: creates are refused, or the check before them says so. */
export function oddQuota({ chaos, clock }: OddityOptions): Odd {
  let shortage: Shortage | undefined;
  const begin = (call: ApiCall): Shortage | undefined => {
    const draw = chaos.strikes('quota', call.occasion);
    if (draw === undefined) return undefined;
    return {
      until: clock.now() + draw.number(5_000, 120_000),
      isTold: CHECK.test(call.template) || draw.chance(0.5),
      attribute: draw.pick(['vm_count', 'volume_count', 'volume_size', 'cpu_count', 'ram']),
      status: draw.pick([400, 403]),
    };
  };
  return {
    refuse(call): Refusal | undefined {
      const isCreate = call.method === 'POST' && CREATES.test(call.template);
      if (!isCreate && !CHECK.test(call.template)) return undefined;
      if (shortage === undefined || clock.now() >= shortage.until) shortage = begin(call);
      if (shortage === undefined) return undefined;
      if (!isCreate) return shortage.isTold ? told(shortage) : undefined;
      return { answer: exceeded(shortage), says: ['QUOTA EXCEEDED'] };
    },
  };
}

const LIMIT = 10;

function told({ attribute }: Shortage): Refusal {
  const answer = answerOf(200, {
    [`${attribute}_limit`]: LIMIT,
    [`${attribute}_requested`]: 1,
    [`${attribute}_usage`]: LIMIT,
  });
  return { answer, says: ['QUOTA WOULD BE EXCEEDED'] };
}

function exceeded({ attribute, status }: Shortage) {
  return answerOf(status, {
    exception_class: 'QuotaLimitExceed',
    message: `Quota limit exceeded: ${attribute}_limit`,
    request_id: 'simulated',
    info: { attribute, current_usage: LIMIT, requested_usage: 1, limit: LIMIT },
  });
}
