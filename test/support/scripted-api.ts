import { createApiActivities, createApiClient } from '../../src/activities/index.js';

/** One request as it arrived. */
export interface Received {
  method: string;
  url: URL;
  headers: Headers;
  /** The parsed JSON; `undefined` without a body. */
  body: unknown;
}

export const API_KEY = 'canary-key$4711';
const BASE_URL = 'https://api.example.test';

/** A `fetch` that gives the answers of one function, and remembers the requests. */
export function createScriptedFetch(answer: (request: Request) => Response | Promise<Response>) {
  const requests: Received[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const text = await request.clone().text();
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    const { method, url, headers } = request;
    requests.push({ method, url: new URL(url), headers, body });
    return answer(request);
  };
  return { fetch, requests };
}

/** The activities of an account whose API gives the answers of one function. */
export function createScriptedApi(
  answer: (request: Request) => Response | Promise<Response>,
  { timeoutMs = 5_000 }: { timeoutMs?: number } = {},
) {
  const { fetch, requests } = createScriptedFetch(answer);
  const api = createApiClient({ baseUrl: BASE_URL, apiKey: API_KEY, timeoutMs, fetch });
  return { requests, api, activities: createApiActivities({ api }) };
}

/** An answer with a JSON body. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

/** Never answers; ends only by the abort of the request, as Node's `fetch` does. */
export function untilAborted({ signal }: Request): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(new DOMException('This operation was aborted', 'AbortError'));
    });
  });
}
