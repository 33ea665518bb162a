import { describe, expect, it } from '@jest/globals';

import { networkErrorCode, wasSent } from '../../../src/engine/http/exchange.js';
import { taskIdsSchema } from '../../../src/contract/api/cloud.js';
import { failureIn } from '../../support/http/in-activity.js';
import { createScriptedApi } from '../../support/http/scripted-api.js';

const READ = { method: 'GET', path: '/x', response: taskIdsSchema, repeatable: true } as const;
const MUTATION = { ...READ, method: 'POST', repeatable: false } as const;

/** An error like those of Node's net, dns and tls modules. */
function system(code: string, syscall?: string): Error {
  const message = `${syscall ?? 'error'} ${code}`;
  return Object.assign(new Error(message), { code, ...(syscall && { syscall, errno: -1 }) });
}

/** The error of Node's `fetch`, with the reason as its cause. */
function fetchFailed(cause: unknown): TypeError {
  return new TypeError('fetch failed', { cause });
}

/** The error after Node has tried all addresses of a name ("happy eyeballs"). */
function allFailed(code: string, errors: Error[]): AggregateError {
  return Object.assign(new AggregateError(errors), { code });
}

/** The connection was never established: nothing was sent. */
const BEFORE: [string, unknown, string][] = [
  ['a refused connection', fetchFailed(system('ECONNREFUSED', 'connect')), 'ECONNREFUSED'],
  ['an unknown host', fetchFailed(system('ENOTFOUND', 'getaddrinfo')), 'ENOTFOUND'],
  ['an unreachable resolver', fetchFailed(system('EAI_AGAIN', 'getaddrinfo')), 'EAI_AGAIN'],
  ['no route', fetchFailed(system('EHOSTUNREACH', 'connect')), 'EHOSTUNREACH'],
  ['no network', fetchFailed(system('ENETUNREACH', 'connect')), 'ENETUNREACH'],
  ['a connect timeout of the system', fetchFailed(system('ETIMEDOUT', 'connect')), 'ETIMEDOUT'],
  [
    'a connect timeout of undici',
    fetchFailed(system('UND_ERR_CONNECT_TIMEOUT')),
    'UND_ERR_CONNECT_TIMEOUT',
  ],
  ['an expired certificate', fetchFailed(system('CERT_HAS_EXPIRED')), 'CERT_HAS_EXPIRED'],
  [
    'a self-signed certificate',
    fetchFailed(system('DEPTH_ZERO_SELF_SIGNED_CERT')),
    'DEPTH_ZERO_SELF_SIGNED_CERT',
  ],
  [
    'an unknown issuer',
    fetchFailed(system('UNABLE_TO_VERIFY_LEAF_SIGNATURE')),
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ],
  [
    'a certificate of another host',
    fetchFailed(system('ERR_TLS_CERT_ALTNAME_INVALID')),
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ],
  [
    'two refused addresses',
    fetchFailed(
      allFailed('ECONNREFUSED', [
        system('ECONNREFUSED', 'connect'),
        system('ECONNREFUSED', 'connect'),
      ]),
    ),
    'ECONNREFUSED',
  ],
  [
    'a refused and an unreachable address',
    fetchFailed(
      allFailed('ETIMEDOUT', [system('ETIMEDOUT', 'connect'), system('ENETUNREACH', 'connect')]),
    ),
    'ETIMEDOUT',
  ],
];

/** The request may have reached the server. */
const AFTER: [string, unknown, string][] = [
  [
    'a damaged TLS record',
    fetchFailed(system('ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC')),
    'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC',
  ],
  [
    'a TLS alert',
    fetchFailed(system('ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR')),
    'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR',
  ],
  [
    'bytes that are not TLS',
    fetchFailed(system('ERR_SSL_WRONG_VERSION_NUMBER')),
    'ERR_SSL_WRONG_VERSION_NUMBER',
  ],
  [
    'a TLS time-out, without a word about when',
    fetchFailed(system('ERR_TLS_HANDSHAKE_TIMEOUT')),
    'ERR_TLS_HANDSHAKE_TIMEOUT',
  ],
  ['a reset', fetchFailed(system('ECONNRESET', 'read')), 'ECONNRESET'],
  ['a broken pipe', fetchFailed(system('EPIPE', 'write')), 'EPIPE'],
  ['a read timeout of the system', fetchFailed(system('ETIMEDOUT', 'read')), 'ETIMEDOUT'],
  ['a timeout without a system call', fetchFailed(system('ETIMEDOUT')), 'ETIMEDOUT'],
  ['a route lost while waiting', fetchFailed(system('EHOSTUNREACH', 'read')), 'EHOSTUNREACH'],
  ['a network lost while waiting', fetchFailed(system('ENETUNREACH', 'read')), 'ENETUNREACH'],
  ['a port closed while waiting', fetchFailed(system('ECONNREFUSED', 'read')), 'ECONNREFUSED'],
  ['a closed socket', fetchFailed(system('UND_ERR_SOCKET')), 'UND_ERR_SOCKET'],
  ['no headers in time', fetchFailed(system('UND_ERR_HEADERS_TIMEOUT')), 'UND_ERR_HEADERS_TIMEOUT'],
  ['no body in time', fetchFailed(system('UND_ERR_BODY_TIMEOUT')), 'UND_ERR_BODY_TIMEOUT'],
  ['no HTTP', fetchFailed(system('HPE_INVALID_CONSTANT')), 'HPE_INVALID_CONSTANT'],
  [
    'a reset of one of two addresses',
    fetchFailed(
      allFailed('ECONNREFUSED', [system('ECONNREFUSED', 'connect'), system('ECONNRESET', 'read')]),
    ),
    'ECONNREFUSED',
  ],
  ['an error without a cause', new TypeError('terminated'), 'TypeError'],
  ['an error with a text as cause', fetchFailed('other side closed'), 'TypeError'],
  ['a text', 'broken', 'unknown network error'],
  ['nothing', undefined, 'unknown network error'],
];

const failing = (error: unknown) => () => createScriptedApi(() => Promise.reject(toError(error)));

/** ESLint requires errors to be `Error`s, but a library may throw anything. */
function toError(error: unknown): Error {
  return error instanceof Error ? error : new TypeError('fetch failed', { cause: error });
}

describe('wasSent', () => {
  it.each(BEFORE)('knows that nothing was sent after %s', (_title, error, code) => {
    const sent = wasSent(error);

    expect(sent).toBe(false);
    expect(networkErrorCode(error)).toBe(code);
  });

  it.each(AFTER)('assumes that the request was sent after %s', (_title, error, code) => {
    const sent = wasSent(error);

    expect(sent).toBe(true);
    expect(networkErrorCode(error)).toBe(code);
  });

  it('terminates for an error that is its own cause', () => {
    const error = new Error('round');
    error.cause = error;

    const sent = wasSent(error);

    expect(sent).toBe(true);
  });
});

describe('a network error', () => {
  it.each([...BEFORE, ...AFTER])('leaves a read retryable: %s', async (_title, error) => {
    const { api, requests } = failing(error)();

    const failure = await failureIn(() => api.request(READ));

    expect(failure).toMatchObject({
      type: 'ServiceUnavailable',
      nonRetryable: false,
      nextRetryDelay: undefined,
      cause: undefined,
    });
    expect(failure.details).toEqual([
      { method: 'GET', path: '/x', advice: expect.stringContaining('repeated') },
    ]);
    expect(requests).toHaveLength(1);
  });

  it.each(BEFORE)('allows a repeat of a mutation: %s', async (_title, error, code) => {
    const { api } = failing(error)();

    const failure = await failureIn(() => api.request(MUTATION));

    expect(failure.type).toBe('ServiceUnavailable');
    expect(failure.message).toContain(`could not be sent (${code})`);
  });

  it.each(AFTER)('leaves the outcome of a mutation unknown: %s', async (_title, error) => {
    const { api, requests } = failing(error)();

    const failure = await failureIn(() => api.request(MUTATION));

    expect(failure).toMatchObject({ type: 'OutcomeUnknown', nonRetryable: true });
    expect(requests).toHaveLength(1);
  });
});
