import { join } from 'node:path';

import type { FaultMatch, Simulator } from '../../src/simulator/index.js';
import { plainCanary, type Canary } from './canaries.js';
import { namedInstance, namedItems, namedVideos } from './named-secrets.js';
import { namedCall, nestedCall } from './planted-calls.js';
import { plantedInstance, plantedItems, plantedVideos } from './planted-secrets.js';

export const apiKey = plainCanary('GCORE_API_KEY');
export const instance = plantedInstance();
export const items = plantedItems('items');
export const manifestItems = plantedItems('manifest');
export const videos = plantedVideos();
/** The worker finds these by their names. */
export const named = {
  instance: namedInstance(),
  items: namedItems(),
  videos: namedVideos(),
  call: namedCall(),
  nested: nestedCall(),
};

/** One way in which the API repeats secrets, and the run that it happens to. */
export interface Case {
  title: string;
  workflow: string;
  canaries: readonly Canary[];
  command: (requestId: string) => string[];
  /** Makes the simulated API answer with this text for each secret. */
  echo: (match: Pick<FaultMatch, 'userAgent'>, texts: readonly string[]) => void;
}

const fields = (texts: readonly string[]) =>
  Object.fromEntries(texts.map((text, index) => [`field_${index}.${text}`, [text]]));

/** The four error shapes of the API at once: each of its fields repeats. */
function refusal(texts: readonly string[]) {
  const [first = ''] = texts;
  const message = `not accepted: ${texts.join(' ')}`;
  return {
    message,
    error: message,
    exception_class: first,
    request_id: first,
    invalid_fields: fields(texts),
    errors: fields(texts),
  };
}

const CREATE = { method: 'POST', path: /\/cloud\/v2\/instances/ };
const PUT = { method: 'PUT', path: /\/fastedge\// };
const BATCH = { method: 'POST', path: '/streaming/videos/batch' };

const PATCH = { method: 'PATCH', path: /\/cloud\/v1\/volumes/ };

export interface Folder {
  /** Where the inputs are. */
  folder: string;
  simulator: Simulator;
  /** What `callApi` changes. */
  volumePath: string;
}

function refusing({ simulator }: Folder, match: FaultMatch, status: number): Case['echo'] {
  return (run, texts) => {
    const action = { kind: 'status', status, body: refusal(texts) } as const;
    simulator.faults.add({ match: { ...match, ...run, times: Infinity }, action });
  };
}

/** Each way in which a text of the API gets into a run. */
export function echoCases(world: Folder): Case[] {
  return [...instanceCases(world), ...itemCases(world), ...videoCases(world), ...namedCases(world)];
}

/** The same with inputs that only name their secrets. */
function namedCases(world: Folder): Case[] {
  const at = (name: string) => join(world.folder, name);
  const provision = (id: string) => [
    ...['provision', '--file', at('named-instance.json'), '--request-id', id],
  ];
  const load = (id: string) => [
    ...['import', at('named-videos.jsonl'), '--request-id', id, '--results', at(`${id}.results`)],
  ];
  return [
    {
      title: 'refused-named-instance',
      workflow: 'provision-instance',
      canaries: named.instance.canaries,
      command: provision,
      echo: refusing(world, CREATE, 400),
    },
    {
      title: 'failed-named-task',
      workflow: 'provision-instance',
      canaries: named.instance.canaries,
      command: provision,
      echo: (run, texts) => {
        const action = { kind: 'task-error', error: `failed: ${texts.join(' ')}` } as const;
        world.simulator.faults.add({ match: { ...CREATE, ...run, times: Infinity }, action });
      },
    },
    ...callCases(world),
    {
      title: 'refused-named-items',
      workflow: 'modify-kv-store',
      canaries: named.items.canaries,
      command: (id) => [...['kv-push', at('named-items.json'), '--store', '1', '--request-id', id]],
      echo: refusing(world, PUT, 400),
    },
    {
      title: 'refused-named-videos',
      workflow: 'import-videos',
      canaries: named.videos.canaries,
      command: load,
      echo: refusing(world, BATCH, 422),
    },
  ];
}

function callCases(world: Folder): Case[] {
  const patch = (file: string) => (id: string) => [
    ...['call', 'PATCH', world.volumePath, '--body', join(world.folder, file)],
    ...['--request-id', id],
  ];
  return [
    {
      title: 'refused-named-call',
      workflow: 'call-api',
      canaries: named.call.canaries,
      command: patch('named-call.json'),
      echo: refusing(world, PATCH, 400),
    },
    {
      title: 'answered-named-call',
      workflow: 'call-api',
      canaries: named.call.canaries,
      command: patch('named-call.json'),
      echo: (run, texts) => {
        const body = { id: texts[0], name: texts.join(' '), tags: fields(texts) };
        const action = { kind: 'status', status: 200, body } as const;
        world.simulator.faults.add({ match: { ...PATCH, ...run, times: Infinity }, action });
      },
    },
    {
      title: 'declined-nested-call',
      workflow: 'call-api',
      canaries: named.nested.canaries,
      command: patch('nested-call.json'),
      echo: refusing(world, PATCH, 422),
    },
  ];
}

function instanceCases(world: Folder): Case[] {
  const provision = (id: string) => [
    ...['provision', '--file', join(world.folder, 'instance.json'), '--request-id', id],
  ];
  return [
    {
      title: 'refused-instance',
      workflow: 'provision-instance',
      canaries: instance.canaries,
      command: provision,
      echo: refusing(world, CREATE, 400),
    },
    {
      title: 'failed-task',
      workflow: 'provision-instance',
      canaries: instance.canaries,
      command: provision,
      echo: (run, texts) => {
        const action = { kind: 'task-error', error: `failed: ${texts.join(' ')}` } as const;
        world.simulator.faults.add({ match: { ...CREATE, ...run, times: Infinity }, action });
      },
    },
    {
      title: 'refused-key',
      workflow: 'provision-instance',
      canaries: [apiKey],
      command: provision,
      echo: refusing(world, CREATE, 403),
    },
  ];
}

function itemCases(world: Folder): Case[] {
  const push = (id: string, ...source: string[]) => [
    ...['kv-push', ...source, '--store', '1', '--allow-irreversible', '--request-id', id],
  ];
  return [
    {
      title: 'refused-items',
      workflow: 'modify-kv-store',
      canaries: items.canaries,
      command: (id) => push(id, join(world.folder, 'items.json')),
      echo: refusing(world, PUT, 400),
    },
    {
      title: 'refused-manifest',
      workflow: 'modify-kv-store',
      canaries: manifestItems.canaries,
      command: (id) => push(id, '--manifest', 'file:items.jsonl'),
      echo: refusing(world, PUT, 400),
    },
  ];
}

function videoCases(world: Folder): Case[] {
  const load = (id: string) => [
    ...[
      'import',
      'file:videos.jsonl',
      '--request-id',
      id,
      '--results',
      join(world.folder, `${id}.results`),
    ],
  ];
  return [
    {
      title: 'refused-videos',
      workflow: 'import-videos',
      canaries: videos.canaries,
      command: load,
      echo: refusing(world, BATCH, 422),
    },
    {
      title: 'failed-videos',
      workflow: 'import-videos',
      canaries: videos.canaries,
      command: load,
      echo: (run, texts) => {
        const ids = Array.from({ length: 200 }, (_, index) => index + 1);
        const body = ids.map((id) => ({
          id,
          status: 'error',
          client_user_id: 1,
          error: `Access to the origin is forbidden: ${texts.join(' ')}`,
          origin_url: texts[0],
        }));
        const action = { kind: 'status', status: 200, body } as const;
        const match = { method: 'GET', path: '/streaming/videos', ...run, times: Infinity };
        world.simulator.faults.add({ match, action });
      },
    },
  ];
}
