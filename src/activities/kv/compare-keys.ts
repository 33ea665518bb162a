import { paths } from '../../contract/wire/paths.js';
import { kvEntrySchema, type ShownValue, type KvItem } from '../../contract/api/fastedge.js';
import { timeOfDay } from '../../engine/activities/attempt.js';
import type { ApiClient } from '../../engine/http/api-client.js';
import { unlessNotFound } from '../cloud-calls.js';
import { expectedOf, type Expectation, type ExpectedMembers } from './expected-of.js';
import { createMembers } from './judge-members.js';
import { differs, judgeValue, SAME, unknown, type Judgement } from './judge-value.js';
import { createJudgedKeys, type Comparison, type JudgedKeys } from './judged-keys.js';
import { listValues, type Entry } from './list-values.js';

/**
 * Reads the keys of these items back: many plain keys by page, then the rest one by one. Goes on from the
 * heartbeat of the attempt before. `GET /fastedge/v1/kv/{store_id}/data/{key}`
 */
export async function compareKeys(
  api: ApiClient,
  { storeId, items }: { storeId: number; items: readonly KvItem[] },
): Promise<Comparison> {
  const expectations = [...expectedOf(items)];
  const judged = createJudgedKeys(expectations.map(([key]) => key));
  await judgeListed(api, { storeId, expectations, judged });
  for (const [at, [key, expected]] of expectations.entries()) {
    if (judged.has(at)) continue;
    judged.note(at, await judgeKey(createKeyReads(api, storeId, key), expected));
  }
  return judged.comparison();
}

interface Listing {
  storeId: number;
  expectations: readonly (readonly [string, Expectation])[];
  judged: JudgedKeys;
}

/** Only a match counts: a list may be outdated by the time it is read to its end. */
async function judgeListed(
  api: ApiClient,
  { storeId, expectations, judged }: Listing,
): Promise<void> {
  const plain = expectations.flatMap(([key, expected], at) =>
    expected.kind === 'value' ? [[key, { at, value: expected.value }] as const] : [],
  );
  const wanted = new Map(plain);
  const keys = [...wanted.keys()];
  for await (const page of listValues(api, { storeId, keys, from: judged.listedTo() })) {
    for (const entry of page.entries) {
      const asked = wanted.get(entry.key);
      const isSame = asked !== undefined && judgeValue(asked.value, shownOf(entry)).kind === 'same';
      if (isSame) judged.note(asked.at, SAME);
    }
    judged.listed(page.next);
  }
}

function shownOf({ payload }: Entry): ShownValue {
  return [payload ?? {}].flat()[0] ?? {};
}

interface KeyReads {
  /** `undefined` when the key does not exist. */
  page(offset: number): Promise<Entry | undefined>;
  isAskable: boolean;
}

/** The largest page of the API. */
const PAGE = 10_000;

function createKeyReads(api: ApiClient, storeId: number, key: string): KeyReads {
  const path = paths.kvKey(storeId, key);
  return {
    // A URL drops these two as path segments.
    isAskable: key !== '.' && key !== '..',
    page(offset) {
      // A page of a set is a list.
      return unlessNotFound(
        api.request({
          method: 'GET',
          path,
          query: { limit: PAGE, offset },
          response: kvEntrySchema,
          isLarge: true,
          repeatable: true,
        }),
      );
    },
  };
}

async function judgeKey(reads: KeyReads, expected: Expectation): Promise<Judgement> {
  if (!reads.isAskable) return unknown('the API cannot look up a key with this name');
  const entry = await reads.page(0);
  if (entry === undefined) return judgeAbsence(expected);
  if (expected.kind === 'absent') return differs('still exists');
  const datatype = expected.kind === 'value' ? 'kv' : expected.datatype;
  if (entry.datatype !== datatype)
    return differs(`has the data type ${datatypeName(entry.datatype)}`);
  if (expected.kind === 'value') return judgeValue(expected.value, shownOf(entry));
  if (expected.kind === 'secret') return unknown(UNREAD_SECRET);
  if (expected.datatype === 'bloom_filter') {
    return unknown('the API cannot list a bloom filter');
  }
  return judgeMembers(reads, expected, entry);
}

const DATATYPES: ReadonlySet<string> = new Set(['kv', 'sorted_set', 'bloom_filter']);

/** No unknown text of the API. */
function datatypeName(datatype: string): string {
  return DATATYPES.has(datatype) ? datatype : 'of another kind';
}

/** The value may have changed since it was sent, so another one proves nothing. */
const UNREAD_SECRET = 'secrets by name are not read back';

function judgeAbsence(expected: Expectation): Judgement {
  if (expected.kind === 'absent') return SAME;
  if (expected.kind === 'secret') return unknown(UNREAD_SECRET);
  if (expected.kind === 'members')
    return expected.present.size === 0 ? SAME : differs('is missing');
  const { expiry } = expected.value;
  const hasExpired = expiry !== undefined && Date.parse(expiry) <= timeOfDay();
  return hasExpired ? SAME : differs('is missing');
}

/** Larger sets are not read to their end. */
const MAX_PAGES = 50;
const NOT_ALL = unknown('the API does not show all members');

async function judgeMembers(
  reads: KeyReads,
  expected: ExpectedMembers,
  first: Entry,
): Promise<Judgement> {
  const members = createMembers(expected);
  let entry: Entry | undefined = first;
  for (let page = 1, read = 0; page <= MAX_PAGES; page++) {
    if (!entry?.payload) return NOT_ALL;
    const shown: ShownValue[] = [entry.payload].flat();
    for (const value of shown) members.note(value);
    read += shown.length;
    // A page may be shorter than asked.
    const isMore = read < (entry.count ?? 0);
    if (members.wrong() !== undefined || (shown.length < PAGE && !isMore)) return members.judge();
    if (shown.length === 0) return isMore ? NOT_ALL : members.judge();
    entry = await reads.page(read);
  }
  return unknown(`the set has more than ${MAX_PAGES} pages`);
}
