import type { FaultName } from '../../contract/wire/fault-names.js';
import type { FaultAction, FaultMatch, FaultRule } from './fault-rule.js';

export interface NamedFault {
  says: string;
  rule: FaultRule;
}

const CREATE: FaultMatch = { method: 'POST', path: /^\/cloud\/v2\/instances\/\d+\/\d+$/ };
const ALWAYS = { times: Infinity } as const;

function answer(status: number, exceptionClass: string, message: string): FaultAction {
  return { kind: 'status', status, body: { exception_class: exceptionClass, message } };
}

export const NAMED_FAULTS: Readonly<Record<FaultName, NamedFault>> = {
  'lost-create': {
    says: 'the next create of an instance is carried out, but its answer is lost',
    rule: { match: CREATE, action: { kind: 'drop-response' } },
  },
  'task-error': {
    says: 'the task of the next create of an instance ends in ERROR, and leaves its volumes',
    rule: {
      match: CREATE,
      action: { kind: 'task-error', error: 'No valid host was found', leftovers: 'volume' },
    },
  },
  'slow-task': {
    says: 'tasks that start take ten times as long',
    rule: { match: ALWAYS, action: { kind: 'slow-task', factor: 10 } },
  },
  quota: {
    says: 'creates of instances are refused: the quota is used up',
    rule: {
      match: { ...CREATE, ...ALWAYS },
      action: answer(403, 'QuotaLimitExceed', 'Quota limit exceeded: cpu_count_limit'),
    },
  },
  'rate-limit': {
    says: 'more than one request a second is answered with 429 and Retry-After',
    rule: { match: {}, action: { kind: 'rate-limit', perSecond: 1, retryAfter: true } },
  },
  outage: {
    says: 'every request is answered with 503',
    rule: { match: ALWAYS, action: { kind: 'status', status: 503 } },
  },
  'key-revoked': {
    says: 'every request is answered with 401, as after the key is revoked',
    rule: {
      match: ALWAYS,
      action: answer(401, 'token_not_valid', 'Token is invalid or expired'),
    },
  },
};
