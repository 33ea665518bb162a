import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { ApplicationFailure } from '@temporalio/common';

import { createApiClient, type ApiClient } from '../activities/index.js';
import { ConfigurationError, loadWorkerConfig, type WorkerConfig } from '../config.js';
import { projectListSchema, regionListSchema } from '../contract/api/catalog.js';
import { paths } from '../contract/api/paths.js';
import type { Check } from '../contract/check.js';
import { CLOCK_SKEW_MS } from '../contract/clock-skew.js';
import { FailureType, withoutAdvice } from '../contract/failures.js';
import { WORKFLOW_BUNDLE_PATH } from './workflow-bundle.js';

/** The checksum by which workers with this code sign themselves; `undefined` before a build. */
export async function ownBuild(
  bundlePath: string = WORKFLOW_BUNDLE_PATH,
): Promise<string | undefined> {
  try {
    const code = await readFile(bundlePath);
    return createHash('sha256').update(code).digest('hex');
  } catch {
    return undefined;
  }
}

/**
 * What a worker with the configuration of this process finds at the API. Only reads, and only the lists
 * of projects and regions.
 */
export async function checkApi(environment?: Environment): Promise<Check[]> {
  const config = readConfig(environment);
  if ('checks' in config) return config.checks;
  return checkWith(config.config);
}

type Environment = Readonly<Record<string, string | undefined>>;

const API_CHECKS = ['API key', 'project', 'region', 'clock'] as const;
const NO_KEY = 'GCORE_API_KEY: is missing';

function readConfig(
  environment: Environment | undefined,
): { config: WorkerConfig } | { checks: Check[] } {
  try {
    return { config: loadWorkerConfig(environment) };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const faults = error.faults.filter((fault) => !fault.startsWith(NO_KEY));
    if (faults.length === 0) return { checks: API_CHECKS.map(withoutKey) };
    const text = faults.join('; ');
    const advice = 'correct the settings of the worker: docs/configuration.md';
    return { checks: [{ name: 'configuration', state: 'fault', text, advice }] };
  }
}

function withoutKey(name: string): Check {
  const text =
    'cannot be checked: GCORE_API_KEY is not set here; run this where a worker runs, with its environment';
  return { name, state: 'unknown', text };
}

async function checkWith(config: WorkerConfig): Promise<Check[]> {
  const clock: Clocks = { skewMs: undefined };
  const api = createApiClient({
    ...{ baseUrl: config.baseUrl, apiKey: config.apiKey, authScheme: config.authScheme },
    fetch: notingTheTime(clock),
    callContext: () => ({ cancelled: new AbortController().signal, workflowId: undefined }),
  });
  const [projects, regions] = await Promise.all([
    idsOf(api, { path: paths.projects(), response: projectListSchema }),
    idsOf(api, { path: paths.regions(), response: regionListSchema }),
  ]);
  return [
    checkKey(projects, config),
    checkPlace({ name: 'project', id: config.projectId, setting: 'PROJECT' }, projects),
    checkPlace({ name: 'region', id: config.regionId, setting: 'REGION' }, regions),
    checkClock(clock),
  ];
}

interface Clocks {
  /** How far the clock of this machine is ahead of that of the API; `undefined` when it does not say. */
  skewMs: number | undefined;
}

function notingTheTime(clock: Clocks): typeof globalThis.fetch {
  return async (...args) => {
    const sentAt = Date.now();
    const answer = await fetch(...args);
    const apiTime = Date.parse(answer.headers.get('date') ?? '');
    const ourTime = (sentAt + Date.now()) / 2;
    if (Number.isFinite(apiTime)) clock.skewMs = ourTime - apiTime;
    return answer;
  };
}

type Found = { ids: number[] } | { failure: ApplicationFailure };

interface Wanted {
  path: string;
  response: typeof projectListSchema | typeof regionListSchema;
}

async function idsOf(api: ApiClient, { path, response }: Wanted): Promise<Found> {
  try {
    const { results } = await api.request<{ results: { id: number }[] }>({
      ...{ method: 'GET', path, response, isLarge: true, repeatable: true },
    });
    return { ids: results.map(({ id }) => id) };
  } catch (error) {
    if (error instanceof ApplicationFailure) return { failure: error };
    throw error;
  }
}

function checkKey(projects: Found, { baseUrl, account }: WorkerConfig): Check {
  const name = 'API key';
  if ('ids' in projects) {
    return { name, state: 'ok', text: `${baseUrl} takes it (account "${account}")` };
  }
  const { failure } = projects;
  const [details] = failure.details ?? [];
  const given: unknown = details instanceof Object ? Reflect.get(details, 'advice') : undefined;
  const text = withoutAdvice(failure.message, typeof given === 'string' ? given : undefined);
  const isRefused = failure.type === FailureType.unauthorized;
  const advice = isRefused
    ? 'set the right key (GCORE_API_KEY, GCORE_API_KEY_FILE) and start the workers again'
    : `check GCORE_BASE_URL and the network between here and ${baseUrl}`;
  return { name, state: 'fault', text: text.split('\n')[0] ?? text, advice };
}

interface WantedPlace {
  name: 'project' | 'region';
  id: number | undefined;
  setting: 'PROJECT' | 'REGION';
}

function checkPlace({ name, id, setting }: WantedPlace, found: Found): Check {
  const variable = `GCORE_CLOUD_${setting}_ID`;
  if (id === undefined) {
    return { name, state: 'ok', text: `no default (${variable}): each input names its own` };
  }
  if (!('ids' in found)) {
    return { name, state: 'unknown', text: `cannot be checked: the API did not list its ${name}s` };
  }
  if (found.ids.includes(id)) return { name, state: 'ok', text: `${id} exists` };
  return {
    name,
    state: 'fault',
    text: `${id} is not among the ${name}s of this key`,
    advice: `set ${variable} to one of ${found.ids.slice(0, 10).join(', ') || '(none)'}`,
  };
}

function checkClock({ skewMs }: Clocks): Check {
  const name = 'clock';
  if (skewMs === undefined) {
    return { name, state: 'unknown', text: 'cannot be checked: the API did not say its time' };
  }
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  const how = `${seconds} s ${skewMs < 0 ? 'behind' : 'ahead of'} the API`;
  if (Math.abs(skewMs) <= CLOCK_SKEW_MS) return { name, state: 'ok', text: how };
  return { name, state: 'fault', text: how, advice: 'set the clock of this machine (NTP)' };
}
