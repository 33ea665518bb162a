import { createHash } from 'node:crypto';

import { createGcoreWorkflows, type GcoreWorkflows } from '../../../src/client/index.js';
import { createGateway, type GatewayOptions } from '../../../src/gateway/create-gateway.js';
import type { GatewayApp } from '../../../src/gateway/gateway-context.js';
import type { Caller, StoredToken } from '../../../src/tokens/token-file.js';
import type { TokenStore } from '../../../src/gateway/tokens.js';
import { provisionInput } from '../inputs/provision-input.js';
import type { Scenario } from '../runs/scenario.js';

/** The client of a scenario. */
export function gcoreOf({ client, taskQueue }: Scenario): GcoreWorkflows {
  return createGcoreWorkflows({ client, taskQueue });
}

/** A gateway to the runs of a scenario. */
export function gatewayOf(scenario: Scenario, options: Partial<GatewayOptions> = {}): GatewayApp {
  return createGateway({ gcore: gcoreOf(scenario), requestsPerSecond: 10_000, ...options });
}

/** A token as the file has it. */
export function storedToken(text: string, caller: Caller & { expiresAt?: number }): StoredToken {
  return { expiresAt: Infinity, ...caller, digest: createHash('sha256').update(text).digest() };
}

/** Tokens by their text. */
export function tokensOf(callers: Record<string, Parameters<typeof storedToken>[1]>): TokenStore {
  const tokens = Object.entries(callers).map(([text, caller]) => storedToken(text, caller));
  return { read: () => Promise.resolve(tokens) };
}

/** A GET with a token. */
export function bearer(token: string): RequestInit & { headers: Record<string, string> } {
  return { headers: { Authorization: `Bearer ${token}` } };
}

/** Starts a run of the scenario, and gives its URL. */
export async function startedPath(scenario: Scenario, key = 'order-1'): Promise<string> {
  const body = { ...provisionInput(), account: scenario.account };
  const start = post(body, { 'Idempotency-Key': key });
  const { headers } = await gatewayOf(scenario).request(at('/v1/runs/provisionInstance'), start);
  return at(headers.get('location') ?? '');
}

/** A path of the gateway as a URL. */
export function at(path: string): string {
  return `http://localhost${path}`;
}

/** POST with JSON. */
export function post(body: unknown, headers: Record<string, string> = {}): RequestInit {
  return {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}

/** The body of an answer, whatever it is. */
export async function bodyOf(answer: Response): Promise<unknown> {
  return answer.json();
}

/** The complete events of a stream, until `isEnough` or its end. */
export async function readEvents(
  answer: Response,
  isEnough: (text: string) => boolean = () => false,
): Promise<string> {
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = answer.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (reader !== undefined && !isEnough(text)) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += decoder.decode(value, { stream: true });
  }
  await reader?.cancel();
  return text;
}
