import { createApiClient } from '../../../src/activities/index.js';
import { createBreakers, type BreakersOptions } from '../../../src/activities/gcore-api.js';
import { taskIdsSchema } from '../../../src/contract/api/cloud.js';
import { inActivity } from '../../support/http/in-activity.js';
import { json } from '../../support/http/scripted-api.js';

type Answer = (request: Request) => Response | Promise<Response>;

/** Longer than any test. */
export const NEVER_MS = 3_600_000;

/** An account behind breakers. One function gives the answers of its API; a test may replace it. */
export function createGuardedApi(options: BreakersOptions, { timeoutMs = 5_000 } = {}) {
  const sent: { path: string; atMs: number }[] = [];
  const script: { answer: Answer } = { answer: ok };
  const breakers = createBreakers(options);
  const api = createApiClient({
    baseUrl: 'https://api.example.test',
    apiKey: 'canary-key$4711',
    timeoutMs,
    breakers,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      sent.push({ path: new URL(request.url).pathname, atMs: Date.now() });
      return script.answer(request);
    },
  });
  const common = { response: taskIdsSchema } as const;
  return {
    breakers,
    /** The requests that reached the API. */
    sent,
    answerWith(answer: Answer): void {
      script.answer = answer;
    },
    read: (path = '/cloud/v1/tasks/1') =>
      api.request({ ...common, method: 'GET', path, repeatable: true }),
    mutate: (path = '/cloud/v1/projects') =>
      api.request({ ...common, method: 'POST', path, body: {}, repeatable: false }),
  };
}

export type GuardedApi = ReturnType<typeof createGuardedApi>;

export const ok: Answer = () => json({ tasks: ['t-1'] });

export function refuse(status: number): Answer {
  return () => json({ message: 'no' }, status);
}

export const refuseConnection: Answer = () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED'), {
    code: 'ECONNREFUSED',
    syscall: 'connect',
  });
  return Promise.reject(new TypeError('fetch failed', { cause }));
};

/** Answers when the test releases it. */
export function createGate() {
  const waiting: ((answer: Response) => void)[] = [];
  return {
    answer: (): Promise<Response> => new Promise((resolve) => waiting.push(resolve)),
    release(answer: () => Response): void {
      for (const resolve of waiting.splice(0)) resolve(answer());
    },
  };
}

/** Different resources of several collections: only all of them together show an outage. */
const MANY_PATHS: readonly string[] = [
  '/cloud/v1/tasks/1',
  '/cloud/v1/projects',
  '/cloud/v1/regions',
  '/cloud/v1/tasks/2',
];

/** The same in a region of the area `cloud`. */
export function pathsIn(region: number): readonly string[] {
  return ['instances', 'volumes', 'images'].map((name) => `/cloud/v1/${name}/1/${region}`);
}

/** Sends reads one after the other, to each path in turn, and ignores their outcomes. */
export async function readTimes(
  api: GuardedApi,
  times: number,
  paths: readonly string[] = MANY_PATHS,
): Promise<void> {
  for (let i = 0; i < times; i++) {
    await inActivity(() => api.read(paths[i % paths.length])).catch(() => undefined);
  }
}

/** An account whose area `cloud` has just stopped answering. */
export async function createOutage(options: Parameters<typeof createGuardedApi>[0]) {
  const api = createGuardedApi(options);
  api.answerWith(refuse(503));
  await readTimes(api, options.failures ?? 5);
  return api;
}
