import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { createApiClient } from '../../../src/activities/index.js';
import type { ApiRequest } from '../../../src/engine/http/api-client.js';
import { taskIdsSchema } from '../../../src/contract/api/cloud.js';
import { collectGarbage } from '../../support/http/collect-garbage.js';
import { failureIn } from '../../support/http/in-activity.js';
import { startSlowServer, type Slowness } from './slow-server.js';

type Request = ApiRequest<{ tasks: string[] }>;

const READ: Request = { method: 'GET', path: '/x', response: taskIdsSchema, repeatable: true };
const ONE_MUTATION: Request = { ...READ, method: 'POST', body: { a: 1 }, repeatable: false };
const LIST: Request = { ...READ, isLarge: true };
const MUTATION: Request = { ...ONE_MUTATION, isLarge: true };
/** A busy machine must send the request within it. */
const LIMIT_MS = 2_000;
/** Enough for a busy machine. A call without its time limit never ends. */
const LONG_MS = 20_000;
const MIB = 1024 ** 2;

let collecting: NodeJS.Timeout | undefined;

/** Again and again. A busy machine needs long for each collection, and time for the calls between two. */
function keepCollecting(): void {
  clearTimeout(collecting);
  collecting = setTimeout(() => {
    collectGarbage();
    keepCollecting();
  }, 100);
}

interface Sent {
  timeoutMs: number;
  onSeen?: () => void;
}

/** Sends one request, and waits until its connection is closed. */
async function sendTo(slowness: Slowness, request: Request, { timeoutMs, onSeen }: Sent) {
  const server = await startSlowServer(slowness, onSeen);
  try {
    const api = createApiClient({ baseUrl: server.url, apiKey: 'key-4711', timeoutMs });
    const started = performance.now();
    const failure = await failureIn(() => api.request(request));
    const ms = performance.now() - started;
    await server.untilLeft();
    return { failure, ms, seen: server.seen() };
  } finally {
    await server.close();
  }
}

/** By how much the process has grown meanwhile, in bytes. */
async function growthIn<T>(act: () => Promise<T>): Promise<{ result: T; grown: number }> {
  collectGarbage();
  const memory = process.memoryUsage().rss;
  const result = await act();
  return { result, grown: process.memoryUsage().rss - memory };
}

const SLOWNESSES = ['stalled headers', 'stalled body', 'a byte at a time', 'endless body'] as const;

describe('the time limit of a call holds while garbage is collected', () => {
  const calls = SLOWNESSES.flatMap((slowness) => [
    { slowness, title: 'read', request: LIST, type: 'ServiceUnavailable' },
    { slowness, title: 'mutation', request: MUTATION, type: 'OutcomeUnknown' },
  ]);
  let sent: Awaited<ReturnType<typeof sendTo>>[];
  let grown: number;

  // All at once: each collection is of the whole process.
  beforeAll(async () => {
    ({ result: sent, grown } = await growthIn(() =>
      Promise.all(
        calls.map(({ slowness, request }) =>
          // The links that a collection may cut are cut at once.
          sendTo(slowness, request, { timeoutMs: LIMIT_MS, onSeen: keepCollecting }),
        ),
      ),
    ));
  });

  afterAll(() => {
    clearTimeout(collecting);
  });

  it.each(calls.map((call, at) => ({ ...call, at })))('$slowness of a $title', ({ at, type }) => {
    expect(sent[at]?.failure.type).toBe(type);
    expect(sent[at]?.failure.message).toContain('no answer in time');
    expect(sent[at]?.ms).toBeLessThan(LONG_MS);
    expect(sent[at]?.seen).toBe(1);
  });

  it('and the calls keep little of what they have read', () => {
    expect(grown).toBeLessThan(128 * MIB);
  });
});

describe('an answer that is too large', () => {
  it.each([
    { slowness: 'endless body', title: 'read', request: READ, limit: MIB },
    { slowness: 'endless body', title: 'mutation', request: ONE_MUTATION, limit: MIB },
    { slowness: 'gzip bomb', title: 'read', request: READ, limit: MIB },
    { slowness: 'gzip bomb', title: 'mutation', request: ONE_MUTATION, limit: MIB },
    { slowness: 'gzip bomb', title: 'list', request: LIST, limit: 64 * MIB },
  ] as const)('is not read to its end: $slowness of a $title', async (given) => {
    const { slowness, request, limit } = given;
    const { result, grown } = await growthIn(() =>
      sendTo(slowness, request, { timeoutMs: LONG_MS }),
    );
    const { failure, ms, seen } = result;

    expect(failure.type).toBe(request.repeatable ? 'UnexpectedResponse' : 'OutcomeUnknown');
    expect(failure.message).toContain(`answered with 200 and a body of more than ${limit} bytes`);
    expect(ms).toBeLessThan(LONG_MS);
    expect(grown).toBeLessThan(256 * MIB);
    expect(seen).toBe(1);
  });

  it('keeps the meaning of its status', async () => {
    const { failure, seen } = await sendTo('endless refusal', ONE_MUTATION, {
      timeoutMs: LONG_MS,
    });

    expect(failure.type).toBe('InvalidRequest');
    expect(failure.message).toContain('was answered with 422 (a body of more than 1048576 bytes)');
    expect(seen).toBe(1);
  });
});
