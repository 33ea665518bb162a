import { ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';

import { createApiClient, type ApiClient } from '../activities/index.js';
import type { AccountConfig } from '../config.js';
import { projectListSchema, regionListSchema } from '../contract/api/cloud.js';
import { paths } from '../contract/wire/paths.js';
import type { Check } from '../contract/check.js';
import { CLOCK_SKEW_MS } from '../engine/core/times.js';
import { FailureType, withoutAdvice } from '../engine/core/failures.js';

/** Where a person changes what is wrong. */
export interface SettingNames {
  baseUrl: string;
  projectId: string;
  regionId: string;
}

/** Only reads, and only the lists of projects and regions. */
export async function checkAccount(
  config: AccountConfig,
  settings: SettingNames,
): Promise<Check[]> {
  const { baseUrl, apiKey, authScheme, projectId, regionId, projects: allowed = [] } = config;
  const clock: Clocks = { skewMs: undefined };
  const api = createApiClient({
    baseUrl,
    apiKey,
    authScheme,
    fetch: notingTheTime(clock),
    callContext: () => ({ cancelled: new AbortController().signal, workflowId: undefined }),
  });
  const [projects, regions] = await Promise.all([
    idsOf(api, { path: paths.projects(), response: projectListSchema }),
    idsOf(api, { path: paths.regions(), response: regionListSchema }),
  ]);
  return [
    checkKey(projects, config, settings),
    checkPlace({ name: 'project', id: projectId, allowed, setting: settings.projectId }, projects),
    checkPlace({ name: 'region', id: regionId, setting: settings.regionId }, regions),
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
      method: 'GET',
      path,
      response,
      isLarge: true,
      repeatable: true,
    });
    return { ids: results.map(({ id }) => id) };
  } catch (error) {
    if (error instanceof ApplicationFailure) return { failure: error };
    throw error;
  }
}

function checkKey(projects: Found, config: AccountConfig, settings: SettingNames): Check {
  const name = 'API key';
  const { baseUrl, name: account } = config;
  if ('ids' in projects) {
    return { name, state: 'ok', text: `${baseUrl} takes it (account "${account}")` };
  }
  const { failure } = projects;
  const [details] = failure.details ?? [];
  const { advice: given, status } = knownSchema.safeParse(details).data ?? {};
  const text = withoutAdvice(failure.message, given);
  const advice = adviceFor({ type: failure.type, status }, config, settings);
  return { name, state: 'fault', text: text.split('\n')[0] ?? text, advice };
}

const knownSchema = z.object({ advice: z.string().optional(), status: z.number().optional() });

function adviceFor(
  { type, status }: { type?: string | null | undefined; status: number | undefined },
  { baseUrl, keyFile, keyVariable }: AccountConfig,
  settings: SettingNames,
): string {
  const rightKey =
    keyFile === undefined
      ? `set the right key (${keyVariable ?? 'GCORE_API_KEY'}) and start the workers again`
      : `write the right key into ${keyFile}: running workers take it over within seconds`;
  if (status === 403)
    return `let an administrator of the account allow this to the key (docs/key-scopes.md), or ${rightKey}`;
  if (type === FailureType.unauthorized) return rightKey;
  if (type === FailureType.rateLimited) {
    return 'check again in a minute; if it stays, somebody else uses this key, or GCORE_REQUESTS_PER_SECOND is above the limit of the API';
  }
  return status === undefined
    ? `check ${settings.baseUrl} and the network between here and ${baseUrl}`
    : `check whether the API reports an outage (runs wait for its end), and whether ${settings.baseUrl} is right: ${baseUrl}`;
}

interface WantedPlace {
  name: 'project' | 'region';
  /** The default. */
  id: number | undefined;
  /** Others that inputs may name. */
  allowed?: readonly number[];
  setting: string;
}

function checkPlace({ name, id, allowed = [], setting }: WantedPlace, found: Found): Check {
  const wanted = [...new Set([...(id === undefined ? [] : [id]), ...allowed])];
  if (wanted.length === 0) {
    return { name, state: 'ok', text: `no default (${setting}): each input names its own` };
  }
  if (!('ids' in found)) {
    return { name, state: 'unknown', text: `cannot be checked: the API did not list its ${name}s` };
  }
  const missing = wanted.filter((one) => !found.ids.includes(one));
  if (missing.length === 0) {
    const exist = wanted.length === 1 ? 'exists' : 'exist';
    return { name, state: 'ok', text: `${wanted.join(', ')} ${exist}` };
  }
  return {
    name,
    state: 'fault',
    text: `${missing.join(', ')} is not among the ${name}s of this key`,
    advice: `set ${setting} to one of ${found.ids.slice(0, 10).join(', ') || '(none)'}`,
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
