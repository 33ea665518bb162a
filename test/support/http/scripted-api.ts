import { DEFAULT_POLL_POLICY } from '../../../src/contract/wire/tasks.js';
import {
  createApiActivities,
  createApiClient,
  flattenGroups,
  type SecretSource,
} from '../../../src/activities/index.js';

/** One request as it arrived. */
interface Received {
  method: string;
  url: URL;
  headers: Headers;
  redirect: Request['redirect'];
  /** The parsed JSON; `undefined` without a body. */
  body: unknown;
}

export const API_KEY = 'canary-key$4711';
const BASE_URL = 'https://api.example.test';

/** A `fetch` that takes its answers from one function and records the requests. */
function createScriptedFetch(answer: (request: Request) => Response | Promise<Response>) {
  const requests: Received[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const text = await request.clone().text();
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    const { method, url, headers, redirect } = request;
    requests.push({ method, url: new URL(url), headers, redirect, body });
    return answer(request);
  };
  return { fetch, requests };
}

/** The activities of an account whose API takes its answers from one function. */
export function createScriptedApi(
  answer: (request: Request) => Response | Promise<Response>,
  {
    timeoutMs = 5_000,
    callApi,
    secrets,
  }: {
    timeoutMs?: number;
    callApi?: readonly string[] | undefined;
    secrets?: SecretSource | undefined;
  } = {},
) {
  const { fetch, requests } = createScriptedFetch(answer);
  const api = createApiClient({ baseUrl: BASE_URL, apiKey: API_KEY, timeoutMs, fetch });
  const secretsOfRun = () => Promise.resolve([]);
  const activities = flattenGroups(
    createApiActivities({
      ...{ api, poll: DEFAULT_POLL_POLICY, secretsOfRun, callApi },
      ...(secrets && { secrets }),
    }),
  );
  return { requests, api, activities };
}

/** An answer with a JSON body. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

/** Never answers. It ends only with the abort of the request and throws its reason, as Node's `fetch` does. */
export function untilAborted({ signal }: Request): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = (): void => {
      reject(toError(signal.reason));
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new DOMException(String(reason), 'AbortError');
}
