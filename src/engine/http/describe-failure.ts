import { ApplicationFailure } from '@temporalio/common';

import { cutText } from '../core/text.js';
import { FailureType, type FailureDetails, type Fault } from '../core/failures.js';
import { faultsBelow, firstFaults } from '../core/faults.js';
import {
  GENERAL_ADVICE,
  type ErrorBody,
  type ErrorTable,
  type Advice,
  type ApiDescription,
} from './api-description.js';
import type { HeldReason } from './call-context.js';
import { addJitter } from './deadline.js';
import { isPlainId, isPlainName, redactAll, redactKeyEdges, type Secrets } from './secrets.js';

/** The parts of a refusing answer (not 2xx) that decide its failure type. */
export interface Answer {
  status: number;
  body: ErrorBody;
  /** "Not found" by a proxy: it does not tell what the API has. */
  isForeign?: boolean;
}

/**
 * The failure type of a refusing answer: by the table of the API, else by its status.
 *
 * @param repeatable whether a call may simply be repeated after a 5xx
 */
function classifyAnswer(
  { status, body, isForeign = false }: Answer,
  { errors, repeatable }: { errors: Pick<ErrorTable, 'typeOf'>; repeatable: boolean },
): FailureType {
  if (isForeign) return classifyRest(BAD_GATEWAY, repeatable);
  return (
    errors.typeOf({ status, body }) ?? BY_STATUS.get(status) ?? classifyRest(status, repeatable)
  );
}

const BAD_GATEWAY = 502;

const BY_STATUS = new Map<number, FailureType>([
  [401, FailureType.unauthorized],
  [403, FailureType.unauthorized],
  [404, FailureType.notFound],
  [409, FailureType.resourceBusy],
  [410, FailureType.notFound],
  [429, FailureType.rateLimited],
]);

function classifyRest(status: number, repeatable: boolean): FailureType {
  // Redirects and the like come from a proxy in between, so they do not tell the outcome either.
  const mayHaveHappened = status >= 500 || status === 408 || status < 400;
  if (mayHaveHappened) {
    if (!repeatable) return FailureType.outcomeUnknown;
    return status < 400 ? FailureType.unexpectedResponse : FailureType.serviceUnavailable;
  }
  return status === 425 ? FailureType.serviceUnavailable : FailureType.invalidRequest;
}

/** Failures that Temporal's retry policy may answer by calling again. */
const RETRYABLE: ReadonlySet<FailureType> = new Set([
  FailureType.rateLimited,
  FailureType.serviceUnavailable,
  FailureType.resourceBusy,
]);

export interface ApiFailure {
  type: FailureType;
  message: string;
  details: Omit<FailureDetails, 'advice'>;
  /** Wait that the API asked for, in milliseconds. */
  retryAfterMs?: number | undefined;
  /** What a person should do, where the product says it more exactly. */
  advice?: Advice | undefined;
  /** Why it was not sent; missing for a call that was. */
  notSent?: HeldReason;
}

/** Turns a failure of the API into one of Temporal; nothing else does. Attaches no cause: causes carry headers. */
export function toApplicationFailure(failure: ApiFailure): ApplicationFailure {
  const { type, message, details, retryAfterMs: delay } = failure;
  const advice = (failure.advice ?? GENERAL_ADVICE)[type];
  return ApplicationFailure.create({
    type,
    message: `${message}. ${advice}`,
    nonRetryable: !RETRYABLE.has(type),
    details: [{ ...details, advice } satisfies FailureDetails],
    ...(delay === undefined ? {} : { nextRetryDelay: delay }),
  });
}

export interface RawAnswer {
  ok: boolean;
  status: number;
  retryAfterMs: number | undefined;
  text: string;
  /** `undefined` when the body is not JSON. */
  json: unknown;
  /** The limit in bytes, when the body is larger. Such a body is not read to its end. */
  tooLargeFor?: number;
  /** "Not found", with a page: by a proxy before the API. */
  isForeign?: boolean;
}

/** Longest name of a class or id of a request, in bytes. */
const MAX_NAME_BYTES = 500;
/** Later faults are only counted. */
const MAX_FAULTS = 20;
const UNAUTHORIZED = 401;
const WITHHELD_FAULT =
  'is not accepted; the reason is withheld, because it may repeat the manifest';

export function describeNetworkError(
  { code, sent }: { code: string; sent: boolean },
  repeatable: boolean,
): ApiFailure {
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

export function describeUnwritable(): ApiFailure {
  return {
    type: FailureType.invalidInput,
    message: 'was not sent: its body cannot be written as JSON, it is nested too deeply',
    details: {},
  };
}

/** A call that waited in this process for longer than anybody waits for it. */
export function describeLate(): ApiFailure {
  return {
    type: FailureType.serviceUnavailable,
    message:
      'was not sent: it came too late, or the worker stood still; nobody waits for it any more',
    details: {},
    notSent: 'late',
  };
}

export function describeStopping(): ApiFailure {
  return {
    type: FailureType.serviceUnavailable,
    message: 'was not sent: its worker stops',
    details: {},
    notSent: 'stopping',
  };
}

export function describeWithdrawn(): ApiFailure {
  return {
    type: FailureType.serviceUnavailable,
    message: 'was not sent: its run has taken it back',
    details: {},
    notSent: 'withdrawn',
  };
}

/** What is known of the call that was refused. */
interface Refused {
  api: Pick<ApiDescription, 'errors' | 'addressSetting'>;
  repeatable: boolean;
  bodyAt?: string | undefined;
  secrets: Secrets;
}

/** The only way for a text of a refusal out of an activity: it repeats no secret of the call. */
export function describeRefusal(
  answer: RawAnswer,
  { api, repeatable, bodyAt, secrets }: Refused,
): ApiFailure {
  const { errors, addressSetting } = api;
  const body = errors.read(answer.json);
  const { status, isForeign = false } = answer;
  const type = classifyAnswer({ status, body, isForeign }, { errors, repeatable });
  const foreign = `by a web page, not by the API: if this lasts, check ${addressSetting}`;
  const { said, code, requestId, faults } = toTexts(
    { ...answer, ...(isForeign && { foreign }) },
    body,
    secrets,
  );
  return {
    type,
    message: `was answered with ${answer.status}${said === '' ? '' : ` (${said})`}`,
    retryAfterMs:
      answer.retryAfterMs === undefined ? undefined : addJitter(answer.retryAfterMs, Math.random()),
    details: {
      status: answer.status,
      ...(code === '' ? {} : { code }),
      ...(requestId === '' ? {} : { requestId }),
      ...(faults.length === 0 ? {} : { faults: bodyAt ? faultsBelow(bodyAt, faults) : faults }),
    },
  };
}

/** What a schema finds wrong in an answer. Its message says what was wanted, and of what type that is which came. */
interface Misfit {
  path: readonly PropertyKey[];
  message: string;
}

/** A mutation with an unreadable answer has probably happened: its outcome is unknown. */
export function describeMismatch(
  answer: RawAnswer,
  { repeatable, misfits = [] }: { repeatable: boolean; misfits?: readonly Misfit[] | undefined },
): ApiFailure {
  const isJson = answer.json !== undefined;
  const what = isJson ? 'an unknown form of body' : 'a body that is not JSON';
  const body = describeSize(answer) ?? `${what} (${answer.text.length} characters)`;
  const [first] = isJson ? misfits : [];
  return {
    type: repeatable ? FailureType.unexpectedResponse : FailureType.outcomeUnknown,
    message: `was answered with ${answer.status} and ${body}${first ? `: ${describeMisfit(first)}` : ''}`,
    details: { status: answer.status },
  };
}

/** `results[0].ip_address: Invalid input: expected string, received null`. A key that may be somebody's text is left out. */
function describeMisfit({ path, message }: Misfit): string {
  const steps = path.map((step) => {
    if (typeof step === 'number') return `[${step}]`;
    return `.${isPlainName(String(step)) ? String(step) : '…'}`;
  });
  const at = steps.join('').replace(/^\./, '');
  return at === '' ? message : `${at}: ${message}`;
}

function describeSize({ tooLargeFor: limit }: RawAnswer): string | undefined {
  return limit === undefined ? undefined : `a body of more than ${limit} bytes`;
}

/** The texts of an error body that leave the activity; "" when there is none. */
interface Texts {
  said: string;
  code: string;
  requestId: string;
  faults: Fault[];
}

function toTexts(
  answer: RawAnswer & { foreign?: string },
  body: ErrorBody,
  { values, keys = [], withholdsTexts }: Secrets,
): Texts {
  const { code, requestId, text, faults } = body;
  const named = faults.slice(0, MAX_FAULTS).flatMap(({ path, message }) => [path, message]);
  const wrongKeys = answer.status === UNAUTHORIZED ? keys : [];
  // Redact before cutting: a cut through a secret would leave its beginning.
  const [cleanCode = '', cleanId = '', said = '', ...rest] = redactAll(
    [code, requestId, text, ...named],
    values,
  ).map((text) => wrongKeys.reduce(redactKeyEdges, text));
  const cleanFaults = faults
    .slice(0, MAX_FAULTS)
    .map((_, at) => ({ path: rest[2 * at] ?? '', message: rest[2 * at + 1] ?? '' }));
  const texts: Texts = {
    said: describeSize(answer) ?? answer.foreign ?? said,
    code: cutText(cleanCode, MAX_NAME_BYTES),
    requestId: cutText(cleanId, MAX_NAME_BYTES),
    faults: firstFaults(cleanFaults, faults.length),
  };
  return withholdsTexts === true ? toNames(texts) : texts;
}

/** Of an answer to the content of a manifest, only names leave. */
function toNames({ code, requestId, faults }: Texts): Texts {
  const names = faults.map(({ path }) => path).filter(isPlainName);
  return {
    said: [...names, 'its text is withheld, because it may repeat the manifest'].join(', '),
    code: isPlainName(code) ? code : '',
    requestId: isPlainId(requestId) ? requestId : '',
    faults: names.map((path) => ({ path, message: WITHHELD_FAULT })),
  };
}
