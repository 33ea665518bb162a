import { cancellationSignal } from '@temporalio/activity';

import { paths } from '../contract/wire/paths.js';
import { MAX_NAME_BYTES } from '../contract/api/errors.js';
import { cutText, jsonByteLength } from '../engine/core/text.js';
import { hasSecretRef, type SecretPlace } from '../contract/wire/secret-ref.js';
import {
  sentKvItemSchema,
  type KvItem,
  type SentKvItem,
  kvStoreSchema,
  kvWrittenSchema,
} from '../contract/api/fastedge.js';
import { countKvItem, emptyKvTotals, type KvTotals } from '../contract/wire/kv-totals.js';
import type { Manifest } from '../contract/manifest.js';
import {
  kvLineSchema,
  MAX_KV_LINE_BYTES,
  MAX_KV_LINES,
} from '../contract/operations/modify-kv-store.js';
import type { ActivityGroups } from '../engine/activities/activity-groups.js';
import { beforeSending } from '../engine/activities/before-sending.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { withPatientReads } from '../engine/http/patient-reads.js';
import { checkChunkCount } from './kv/plan-chunks.js';
import { compareKeys } from './kv/compare-keys.js';
import type { Comparison } from './kv/judged-keys.js';
import { createKeyUses } from './kv/key-uses.js';
import { findDatatypes, type FoundDatatype } from './kv/find-datatypes.js';
import { valueSecrets } from './kv/value-secrets.js';
import { readLines, readSource, type KvSource } from './kv/read-source.js';
import type { ManifestReader } from './manifest/create-manifest-reader.js';
import type { ManifestRange } from './manifest/scan-manifest.js';
import { invalidInput } from '../engine/activities/run-of-activity.js';
import { createSecretNames, type SecretSource } from './secrets/secret-source.js';
import { fillSecrets, type Filled } from './secrets/fill-secrets.js';
import { withHeartbeat } from '../engine/activities/attempt.js';

export interface KvDeps {
  api: ApiClient;
  manifests: ManifestReader;
  secrets: SecretSource;
}

export interface KvStoreView {
  name: string;
  /** Missing for a BYOD store: its data is in a database that others may write to. */
  revision?: number;
}

export interface KvWritten {
  writeCount: number;
  delCount: number;
  /** In bytes. */
  writeSize: number;
  storeSize: number;
  revision?: number;
  /** The revision before this attempt, if it was asked for. */
  before?: number;
}

export interface KvChunkInput {
  storeId: number;
  force: boolean;
  source: KvSource;
  /** Reads the store before. */
  looksFirst?: boolean;
}

export interface KvScanInput {
  manifest: Manifest;
  allowIrreversible: boolean;
  mostItems: number;
}

export interface KvSurvey {
  ranges: KvRange[];
  totals: KvTotals;
  /** The first secrets that lines name, each once; missing when there are none. */
  secrets?: SecretPlace[];
}

/** Some lines of a manifest. */
export interface KvRange extends ManifestRange {
  /** The manifest names secrets. */
  hasSecrets?: true;
}

export interface KvCompareInput {
  storeId: number;
  source: KvSource;
  /** Indexes of the items whose keys are read back; default all. */
  only?: readonly number[];
}

export interface KvReadback extends KvCompareInput {
  /** Reads the store after the keys. */
  thenStore?: boolean;
}

export interface KvReadbackResult extends Comparison {
  store?: KvStoreView;
}

/** KV stores of the FastEdge area. */
export function createKvStoreActivities(deps: KvDeps) {
  const { api } = deps;
  return {
    reads: {
      /** `GET /fastedge/v1/kv/{store_id}` */
      readKvStore: ({ storeId }: { storeId: number }): Promise<KvStoreView> =>
        readStore(api, storeId),
    },
    longReads: {
      /**
       * Checks each line of a manifest and cuts it into ranges. The order in which the lines are written
       * must not matter: a key comes up once, or with other members of the same set or filter.
       */
      scanKvManifest: (input: KvScanInput): Promise<KvRange[]> =>
        withHeartbeat(() => scan(deps, input)),

      /** The same for a plan; also counts what the lines contain. */
      surveyKvManifest: (input: KvScanInput): Promise<KvSurvey> =>
        withHeartbeat(async () => {
          const totals = emptyKvTotals();
          const secrets = createSecretNames();
          const ranges = await scan(deps, input, (item) => {
            countKvItem(totals, item);
            secrets.note(item);
          });
          return { ranges, totals, ...secrets.found() };
        }),

      /** Which of the keys already exist, with their datatypes. */
      findKvDatatypes: (input: KvCompareInput): Promise<FoundDatatype[]> =>
        withPatientReads(api, async (reads) => {
          const items = await readLines(deps.manifests, input.source, input.only);
          return findDatatypes(reads, { storeId: input.storeId, items });
        }),

      /**
       * Reads keys back, and the store after them if that is asked for. `GET /fastedge/v1/kv/{store_id}/data/{key}` and
       * `GET /fastedge/v1/kv/{store_id}`
       */
      compareKvChunk: ({ thenStore, ...input }: KvReadback): Promise<KvReadbackResult> =>
        withPatientReads(api, async (reads) => {
          const comparison = await compare({ ...deps, api: reads }, input);
          if (thenStore !== true) return comparison;
          return { ...comparison, store: await readStore(reads, input.storeId) };
        }),
    },
    convergent: {
      /**
       * `PUT /fastedge/v1/kv/{store_id}/data`, after `GET /fastedge/v1/kv/{store_id}` if that is asked for. A repeat has the
       * same effect, unless others write too.
       */
      sendKvChunk: (input: KvChunkInput): Promise<KvWritten> =>
        withHeartbeat(() => send(deps, input)),
    },
  } satisfies ActivityGroups;
}

async function readStore(api: ApiClient, storeId: number): Promise<KvStoreView> {
  const { name, revision } = await api.request({
    method: 'GET',
    path: paths.kvStore(storeId),
    response: kvStoreSchema,
    repeatable: true,
  });
  return {
    name: cutText(name, MAX_NAME_BYTES),
    ...(typeof revision === 'number' && { revision }),
  };
}

async function scan(
  { manifests }: KvDeps,
  { manifest, allowIrreversible, mostItems }: KvScanInput,
  onItem: (item: KvItem) => void = () => undefined,
): Promise<KvRange[]> {
  const uses = createKeyUses();
  const seen = { secrets: false };
  const schema = kvLineSchema(allowIrreversible).refine(
    (item) => {
      const isUsed = uses.orderMatters(item);
      uses.add(item);
      seen.secrets ||= hasSecretRef(item);
      onItem(item);
      return !isUsed;
    },
    {
      path: ['key'],
      error:
        'is already in an earlier line: the lines of a manifest have no order, so each key may come up once (or with other members of its set or filter)',
    },
  );
  const limits = { maxItems: mostItems, maxBytes: MAX_KV_LINE_BYTES, maxLines: MAX_KV_LINES };
  const { ranges } = await manifests.scan(manifest, {
    schema,
    limits,
    signal: cancellationSignal(),
  });
  const items = ranges.reduce((sum, { count }) => sum + count, 0);
  checkChunkCount({ chunks: ranges.length, items, chunkItems: mostItems });
  return seen.secrets ? ranges.map((range) => ({ ...range, hasSecrets: true })) : ranges;
}

const ITEM_AS_SENT = {
  schema: sentKvItemSchema,
  isSent: (item: KvItem): item is SentKvItem => !hasSecretRef(item),
};

async function fill({ manifests, secrets }: KvDeps, source: KvSource): Promise<Filled<SentKvItem>> {
  const lines = await readLines(manifests, source);
  const isInline = 'items' in source;
  const given = lines.map(({ line, value }) => ({
    // The number of an inline item is known to nobody but its chunk.
    at: isInline ? `items (key "${value.key}").` : `line ${line}, `,
    value,
  }));
  const filled = await fillSecrets(secrets, given, ITEM_AS_SENT);
  if (filled.secrets.length > 0 && jsonByteLength(filled.sent) > MAX_FILLED_BYTES) {
    throw invalidInput([{ path: 'chunkItems', message: TOO_LARGE }]);
  }
  return filled;
}

/** Chunks are cut by the size of the names. Their values may be much longer. */
const MAX_FILLED_BYTES = 2 * MAX_KV_LINE_BYTES;
const TOO_LARGE = `makes a chunk of more than ${MAX_FILLED_BYTES} bytes with the values of its secrets: set it lower`;

async function send(
  deps: KvDeps,
  { storeId, force, source, looksFirst = false }: KvChunkInput,
): Promise<KvWritten> {
  const { api } = deps;
  const { sent: items, secrets } = await beforeSending(() => fill(deps, source));
  // Right before the call: what others write while a manifest is read, they do not write during the push.
  const before = looksFirst ? await beforeSending(() => readStore(api, storeId)) : undefined;
  const written = await api.request({
    method: 'PUT',
    path: paths.kvData(storeId),
    query: { force: force ? true : undefined },
    body: items,
    response: kvWrittenSchema,
    // After a lost answer the workflow decides: another writer may be waiting.
    repeatable: false,
    secrets: () => ({
      values: [...secrets, ...items.flatMap(valueSecrets)],
      withholdsTexts: 'manifest' in source,
    }),
  });
  const { revision } = written;
  return {
    writeCount: written.write_count,
    delCount: written.del_count,
    writeSize: written.write_size,
    storeSize: written.store_size,
    ...(typeof revision === 'number' && { revision }),
    ...(before?.revision !== undefined && { before: before.revision }),
  };
}

async function compare(
  { api, manifests }: KvDeps,
  { storeId, source, only }: KvCompareInput,
): Promise<Comparison> {
  const items = await readSource(manifests, source, only);
  return compareKeys(api, { storeId, items });
}
