import {
  createSimulator,
  DEFAULT_API_KEY,
  type FaultRule,
  type Simulator,
} from '../../../../src/simulator/index.js';
import type { Clock } from '../../time/clock.js';
import type { SimulatedProcess } from '../../time/processes.js';
import { simulate } from '../../time/run.js';
import { createChaos, type Chaos, type ChaosOptions } from '../../world/chaos.js';
import type { CallRecord } from '../../world/records.js';
import { createStory } from '../../world/story.js';
import { isRow, parse, rowsOf, type Row } from '../api-answer.js';
import { apiClock } from '../api-clock.js';
import { createApiNetwork, type ApiNetwork } from '../create-api-network.js';

const ORIGIN = 'http://api.example';

export interface Heard {
  status: number | undefined;
  text: string;
  json: unknown;
  headers: Headers;
  /** Code of the broken connection, or name of the reason to leave. */
  broken: string | undefined;
  tookMs: number;
}

export interface ApiWorld {
  simulator: Simulator;
  clock: Clock;
  chaos: Chaos;
  network: ApiNetwork;
  calls: readonly CallRecord[];
  /** Without the times. */
  story(): string;
  /** Begins a call. What breaks it is heard, too. */
  begin(call: string, options?: CallOptions): Promise<Heard>;
  /** Makes a call, and waits for it. */
  call(call: string, options?: CallOptions): Promise<Heard>;
  until<T>(work: Promise<T>): Promise<T>;
  pass(ms: number): Promise<void>;
}

interface CallOptions {
  body?: unknown;
  workflowId?: string;
  signal?: AbortSignal;
}

interface Given extends Pick<ChaosOptions, 'odds' | 'most'> {
  seed?: number;
  isCut?: (process: SimulatedProcess | undefined) => boolean;
  rules?: readonly FaultRule[];
}

/** An API with faults, in virtual time. */
export function inApiWorld<T>(given: Given, act: (world: ApiWorld) => Promise<T>): Promise<T> {
  const { seed = 1, odds, most = Infinity, isCut, rules = [] } = given;
  return simulate(seed, async (simulation) => {
    const { clock, draw } = simulation;
    const chaos = createChaos({ seed, odds, most });
    const story = createStory(clock);
    const calls: CallRecord[] = [];
    const apiNow = apiClock(chaos, clock);
    const simulator = createSimulator({ seed, now: apiNow });
    for (const rule of rules) simulator.faults.add(rule);
    const onCall = (record: CallRecord): void => {
      calls.push(record);
    };
    const parts = { simulator, clock, apiNow, draw, chaos, story, onCall };
    const network = createApiNetwork({ ...parts, ...(isCut && { isCut }) });
    const begin = createClient(network.fetch, clock);
    return act({
      ...{ simulator, clock, chaos, network, calls, begin },
      until: (work) => simulation.until(work),
      pass: (ms) => simulation.pass(ms),
      story: () => story.lines().join('\n'),
      call: (call, options) => simulation.until(begin(call, options)),
    });
  });
}

function createClient(fetch: typeof globalThis.fetch, clock: Clock): ApiWorld['begin'] {
  return async (call, { body, workflowId = 'run-1', signal } = {}) => {
    const [method = '', path = ''] = call.split(' ');
    const startedAt = clock.now();
    const silent = { status: undefined, text: '', json: undefined, headers: new Headers() };
    try {
      const response = await fetch(ORIGIN + path, {
        method,
        headers: {
          authorization: `apikey ${DEFAULT_API_KEY}`,
          'user-agent': `gcore-workflows/1.0 (${workflowId})`,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      });
      const { status, headers } = response;
      const text = await response.text();
      const tookMs = clock.now() - startedAt;
      return { status, headers, text, json: parse(text), broken: undefined, tookMs };
    } catch (error) {
      return { ...silent, broken: codeOf(error), tookMs: clock.now() - startedAt };
    }
  };
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return isRow(cause) && typeof cause['code'] === 'string' ? cause['code'] : error.name;
}

/** What a call shows in as many worlds as there are seeds: one for each particular that is drawn. */
export async function inManyWorlds<T>(
  given: Omit<Given, 'seed'>,
  act: (world: ApiWorld) => Promise<T>,
): Promise<T[]> {
  const seen: T[] = [];
  for (let seed = 1; seed <= 60; seed += 1) seen.push(await inApiWorld({ ...given, seed }, act));
  return seen;
}

export function listOf(heard: Pick<Heard, 'json'>): Row[] {
  return (rowsOf(heard.json) ?? []).filter(isRow);
}

export const STORES = '/fastedge/v1/kv';
export const KEYS = '/storage/v4/ssh_keys';
export const VOLUMES = '/cloud/v1/volumes/1/1';

export const instanceBody = {
  flavor: 'g2-standard-2-4',
  name: 'web-1',
  interfaces: [{ type: 'any_subnet', network_id: '5b2bd9c2-4c5a-4f39-a4e4-5f4d8d2bb0aa' }],
  volumes: [
    {
      source: 'image',
      image_id: 'f01fd9a0-9548-48ba-82dc-a8c8b2d6f2f1',
      size: 20,
      boot_index: 0,
      name: 'disk',
    },
  ],
};

export const volumeBody = { source: 'new-volume', name: 'data', size: 5 };

/** Past everything that can go wrong. */
export async function given(world: ApiWorld, call: string, body: unknown): Promise<Row> {
  const [method = '', path = ''] = call.split(' ');
  const headers = { authorization: `apikey ${DEFAULT_API_KEY}` };
  const sent = { method, headers, body: JSON.stringify(body) };
  const response = await world.simulator.fetch(ORIGIN + path, sent);
  const json = parse(await response.text());
  return isRow(json) ? json : {};
}

/** An instance with a disk, ready. */
export async function givenInstance(world: ApiWorld): Promise<{ id: string; volumeId: string }> {
  await given(world, 'POST /cloud/v2/instances/1/1', instanceBody);
  await world.pass(60_000);
  const { instances, volumes } = world.simulator.snapshot();
  return { id: instances[0]?.id ?? '', volumeId: volumes[0]?.id ?? '' };
}

/** Stores called `a` and `b`, and so on. */
export async function givenStores(world: ApiWorld, names: readonly string[]): Promise<void> {
  for (const name of names) await given(world, `POST ${STORES}`, { name, comment: 'mine' });
}
