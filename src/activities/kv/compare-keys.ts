import { paths } from '../../contract/api/paths.js';
import type { KvItem } from '../../contract/api/kv-item.js';
import { kvEntrySchema, type ShownValue } from '../../contract/api/kv-store.js';
import { FailureType } from '../../contract/failures.js';
import { ApplicationFailure } from '@temporalio/common';
import type { ApiClient } from '../http/api-client.js';
import { bytesOf, expectedOf, type Expectation } from './expected-of.js';
import { listValues } from './list-values.js';
import { differs, holds, judgeValue, SAME, unknown, type Judgement } from './judge-value.js';

/** What reading keys back has shown. */
export interface Comparison {
  same: number;
  /** Some of those that differ, with the reason. */
  differing: { key: string; why: string }[];
  differs: number;
  unknown: { reason: string; keys: number }[];
}

/** So many keys that differ are named. */
const MAX_NAMED = 20;

/**
 * Reads the keys of these items back: many plain keys by page, what is left of them and all others
 * one after the other. `GET /fastedge/v1/kv/{store_id}/data/{key}`
 */
export async function compareKeys(
  api: ApiClient,
  { storeId, items }: { storeId: number; items: readonly KvItem[] },
): Promise<Comparison> {
  const comparison: Comparison = { same: 0, differing: [], differs: 0, unknown: [] };
  const expectations = expectedOf(items);
  const keys = [...expectations].flatMap(([key, { kind }]) => (kind === 'value' ? [key] : []));
  const listed = await listValues(api, { storeId, keys });
  for (const [key, expected] of expectations) {
    const isListed = judgeListed(listed.get(key), expected).kind === 'same';
    const judgement = isListed ? SAME : await judgeKey(createReads(api, storeId, key), expected);
    note(comparison, key, judgement);
  }
  return comparison;
}

/** A list may be out of date by the time it is read to its end: only a match counts. */
function judgeListed(entry: Entry | undefined, expected: Expectation): Judgement {
  if (entry === undefined || expected.kind !== 'value') return unknown('not listed');
  return judgeValue(expected.value, shownOf(entry));
}

function shownOf({ payload }: Entry): ShownValue {
  return [payload ?? {}].flat()[0] ?? {};
}

function note(comparison: Comparison, key: string, judgement: Judgement): void {
  if (judgement.kind === 'same') comparison.same += 1;
  else if (judgement.kind === 'differs') {
    comparison.differs += 1;
    if (comparison.differing.length < MAX_NAMED) {
      comparison.differing.push({ key, why: judgement.why });
    }
  } else {
    const row = comparison.unknown.find(({ reason }) => reason === judgement.why);
    if (row === undefined) comparison.unknown.push({ reason: judgement.why, keys: 1 });
    else row.keys += 1;
  }
}

type Entry = ReturnType<typeof kvEntrySchema.parse>;

interface Reads {
  /** `undefined` when there is no such key. */
  page(offset: number): Promise<Entry | undefined>;
  isAskable: boolean;
}

/** The most that the API gives at once. */
const PAGE = 10_000;

function createReads(api: ApiClient, storeId: number, key: string): Reads {
  const path = paths.kvKey(storeId, key);
  return {
    // Any URL would lose these two as parts of its path.
    isAskable: key !== '.' && key !== '..',
    async page(offset) {
      try {
        const query = { limit: PAGE, offset };
        const response = kvEntrySchema;
        return await api.request({ method: 'GET', path, query, response, repeatable: true });
      } catch (error) {
        const isGone = error instanceof ApplicationFailure && error.type === FailureType.notFound;
        if (isGone) return undefined;
        throw error;
      }
    },
  };
}

async function judgeKey(reads: Reads, expected: Expectation): Promise<Judgement> {
  if (!reads.isAskable) return unknown('the API cannot be asked for a key of this name');
  const entry = await reads.page(0);
  if (entry === undefined) return judgeAbsence(expected);
  if (expected.kind === 'absent') return differs('is still there');
  const datatype = expected.kind === 'value' ? 'kv' : expected.datatype;
  if (entry.datatype !== datatype) return differs(`has the data type ${entry.datatype}`);
  if (expected.kind === 'value') return judgeValue(expected.value, shownOf(entry));
  if (expected.datatype === 'bloom_filter') {
    return unknown('what a bloom filter holds cannot be listed');
  }
  return judgeMembers(reads, expected, entry);
}

function judgeAbsence(expected: Expectation): Judgement {
  if (expected.kind === 'absent') return SAME;
  if (expected.kind === 'members')
    return expected.present.size === 0 ? SAME : differs('is not there');
  const { expiry } = expected.value;
  const hasExpired = expiry !== undefined && Date.parse(expiry) <= Date.now();
  return hasExpired ? SAME : differs('is not there');
}

/** A larger set is not read to its end. */
const MAX_PAGES = 50;

async function judgeMembers(
  reads: Reads,
  { present, absent }: Extract<Expectation, { kind: 'members' }>,
  first: Entry,
): Promise<Judgement> {
  const missing = new Map(present);
  let entry: Entry | undefined = first;
  for (let page = 1; entry !== undefined; page++) {
    const shown: ShownValue[] = [entry.payload ?? []].flat();
    for (const value of shown) {
      const judgement = judgeMember(value, missing, absent);
      if (judgement !== undefined) return judgement;
    }
    if (shown.length < PAGE) break;
    if (page >= MAX_PAGES) return unknown(`a set of more than ${MAX_PAGES * PAGE} members`);
    entry = await reads.page(page * PAGE);
  }
  for (const { encoding } of missing.values()) {
    if (encoding !== 'masked') return differs(`lacks ${missing.size} of ${present.size} members`);
  }
  return missing.size === 0 ? SAME : unknown('masked values are never given back');
}

/** Takes the member off the list of those that are missing; says what is wrong with it. */
function judgeMember(
  shown: ShownValue,
  missing: Map<string, { value: string; score?: number | undefined }>,
  absent: ReadonlySet<string>,
): Judgement | undefined {
  const id = idOf(shown, [...missing.values()]);
  if (id === undefined) return undefined;
  if (absent.has(id)) return differs('still has a member that was to be taken out');
  const wanted = missing.get(id)?.score;
  missing.delete(id);
  const isOther = wanted !== undefined && typeof shown.score === 'number' && wanted !== shown.score;
  return isOther ? differs('has a member with another score') : undefined;
}

function idOf(
  shown: ShownValue,
  wanted: readonly { value: string; encoding?: 'plain' | 'base64' | 'masked' | undefined }[],
): string | undefined {
  if (shown.value === undefined) return undefined;
  if (shown.encoding !== 'sha256') {
    return bytesOf({ value: shown.value, encoding: shown.encoding }).toString('base64');
  }
  const found = wanted.find((member) => holds(member, shown));
  return found && bytesOf(found).toString('base64');
}
