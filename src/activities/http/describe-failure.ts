import { anyErrorSchema, type AnyError } from '../../contract/api/errors.js';
import { FailureType, type Fault } from '../../contract/failures.js';
import type { ApiFailure } from './api-failure.js';
import { classifyAnswer, textOf } from './classify-answer.js';
import { addJitter } from './retry-after.js';

/** A failed call, before it becomes a failure of Temporal. */
export type Description = Omit<ApiFailure, 'repeatable'>;

export interface RawAnswer {
  ok: boolean;
  status: number;
  retryAfterMs: number | undefined;
  text: string;
  /** `undefined` when the body is not JSON. */
  json: unknown;
  /** The limit in bytes, when the body is larger. Such a body is not read to its end. */
  tooLargeFor?: number;
}

export function describeNetworkError(
  { code, sent }: { code: string; sent: boolean },
  repeatable: boolean,
): Description {
  return sent && !repeatable
    ? {
        type: FailureType.outcomeUnknown,
        message: `was sent, but its answer was lost (${code})`,
        details: {},
      }
    : {
        type: FailureType.serviceUnavailable,
        message: sent ? `got no answer (${code})` : `could not be sent (${code})`,
        details: {},
      };
}

export function describeUnwritable(): Description {
  return {
    type: FailureType.invalidInput,
    message: 'was not sent: its body cannot be written as JSON, it is nested too deeply',
    details: {},
  };
}

/** A call that waited in this process for longer than anybody waits for it. */
export function describeLate(): Description {
  return {
    type: FailureType.serviceUnavailable,
    message: 'was not sent: the worker stood still, and nobody waits for this call any more',
    details: {},
  };
}

export function describeRefusal(answer: RawAnswer, repeatable: boolean): Description {
  const error = toAnyError(answer.json);
  const type = classifyAnswer({ status: answer.status, error }, repeatable);
  const said = describeSize(answer) ?? textOf(error);
  const faults = toFaults(error);
  return {
    type,
    message: `was answered with ${answer.status}${said === '' ? '' : ` (${said})`}`,
    retryAfterMs:
      answer.retryAfterMs === undefined ? undefined : addJitter(answer.retryAfterMs, Math.random()),
    details: {
      status: answer.status,
      ...(error.exception_class === undefined ? {} : { code: error.exception_class }),
      ...(error.request_id === undefined ? {} : { requestId: error.request_id }),
      ...(faults.length === 0 ? {} : { faults }),
    },
  };
}

/** A mutation with an unreadable answer has probably happened: its outcome is unknown. */
export function describeMismatch(answer: RawAnswer, repeatable: boolean): Description {
  const what = answer.json === undefined ? 'a body that is not JSON' : 'an unknown form of body';
  const body = describeSize(answer) ?? `${what} (${answer.text.length} characters)`;
  return {
    type: repeatable ? FailureType.unexpectedResponse : FailureType.outcomeUnknown,
    message: `was answered with ${answer.status} and ${body}`,
    details: { status: answer.status },
  };
}

function describeSize({ tooLargeFor: limit }: RawAnswer): string | undefined {
  return limit === undefined ? undefined : `a body of more than ${limit} bytes`;
}

function toAnyError(json: unknown): AnyError {
  const parsed = anyErrorSchema.safeParse(json);
  return parsed.success ? parsed.data : {};
}

function toFaults(error: AnyError): Fault[] {
  return Object.entries({ ...error.invalid_fields, ...error.errors }).map(([path, texts]) => ({
    path,
    message: [texts].flat().join(', '),
  }));
}
