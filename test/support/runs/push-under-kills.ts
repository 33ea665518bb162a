import type { KvItem } from '../../../src/contract/index.js';
import { inFaultWorld, type FaultWorld } from '../worlds/fault-world.js';
import { historiesOf } from '../replay/histories-of.js';
import { killAgainAndAgain } from './kill-again-and-again.js';
import { add, contentOf, DATA_PATH, stateWithStores, STORE } from '../worlds/kv-stores.js';
import { createManifestRoot } from '../worlds/manifests.js';

export interface PushUnderKills {
  items: number;
  /** Number of times that the only worker gets `kill -9`, spread over the run. */
  kills: number;
  onProgress?: (text: string) => void;
}

/** The figures of a push whose worker was killed several times. */
export interface PushFigures {
  /** Number of keys that have a wrong value, are missing, or should not exist. */
  wrong: number;
  keys: number;
  /** Number of keys that the run reports as verified. */
  verified: number;
  chunks: number;
  kills: number;
  requests: number;
  longestHistory: number;
  histories: number;
  /** Samples of the worker's resident memory, in MiB. */
  memory: number[];
  seconds: number;
}

const WORKFLOW_ID = 'push-under-kills';
const DEFAULT_CHUNK_ITEMS = 1_000;
const SPEED = 100;
/** The API carries out a call, then waits with its answer. A kill in between loses the answer. */
const ANSWER_MS = 100;

/** Pushes a manifest, then compares it with the content of the store. */
export async function pushUnderKills(options: PushUnderKills): Promise<PushFigures> {
  const items = Array.from({ length: options.items }, (_, index) =>
    add(`user/${index}`, `value of ${index}`.padEnd(200, '.')),
  );
  const manifestRoot = createManifestRoot({ 'a.jsonl': items });
  let figures: PushFigures | undefined;
  await inFaultWorld(
    async (world) => {
      figures = await measure(world, items, options);
    },
    {
      timeScale: 1 / SPEED,
      state: stateWithStores(),
      fast: {
        speed: SPEED,
        reconcileGraceMs: 2_000,
        probeMs: 500,
        timeoutMs: 15_000,
        manifestRoot,
      },
    },
  );
  if (figures === undefined) throw new Error('nothing was measured');
  return figures;
}

async function measure(
  world: FaultWorld,
  items: readonly KvItem[],
  { kills, onProgress }: PushUnderKills,
): Promise<PushFigures> {
  const { simulator, gcore } = world;
  const action = { kind: 'delay', ms: ANSWER_MS, afterProcessing: true } as const;
  simulator.faults.add({ match: { method: 'PUT', path: DATA_PATH, times: Infinity }, action });
  const startedAt = Date.now();
  const worker = await world.startWorker();
  const input = { storeId: STORE, manifest: { url: 'file:a.jsonl' }, verify: 'all' as const };
  await gcore.start('modifyKvStore', { requestId: 'x', workflowId: WORKFLOW_ID, input });
  const ended = gcore.result('modifyKvStore', WORKFLOW_ID);
  const minimum = Math.ceil(items.length / DEFAULT_CHUNK_ITEMS);
  const progress = onProgress && { onProgress };
  const killed = await killAgainAndAgain(world, { kills, minimum, worker, ended, ...progress });
  const { chunks, verified } = await ended;
  return {
    ...compare(contentOf(simulator), items),
    ...killed,
    ...(await historiesOf(world, WORKFLOW_ID)),
    verified: verified.keys,
    chunks: chunks.length,
    requests: simulator.requests.length,
    seconds: Math.round((Date.now() - startedAt) / 1000),
  };
}

function compare(content: Record<string, unknown>, items: readonly KvItem[]) {
  const wanted = new Map(items.map(({ key, payload }) => [key, valueOf(payload)]));
  const wrong = [...wanted].filter(([key, value]) => value === undefined || content[key] !== value);
  const foreign = Object.keys(content).filter((key) => !wanted.has(key));
  return { wrong: wrong.length + foreign.length, keys: wanted.size };
}

function valueOf(payload: KvItem['payload']): string | undefined {
  if (payload === undefined || Array.isArray(payload)) return undefined;
  return typeof payload.value === 'string' ? payload.value : undefined;
}
