import type { PreparedModifyKvStore } from '../../../contract/wire/prepared.js';
import { countKvItem, emptyKvTotals, type KvTotals } from '../../../contract/wire/kv-totals.js';
import { Operation } from '../../../contract/wire/names.js';
import type { ModifyKvStoreInput } from '../../../contract/operations/types.js';
import type { Plan } from '../../../engine/schema/documents.js';
import { secretPlaces, type SecretPlace } from '../../../contract/wire/secret-ref.js';
import { createDraft, type Draft } from '../../../engine/plan/planning.js';
import type { PlanRun } from '../../gcore.js';
import { checkSecrets } from '../../shared/plan/plan-parts.js';
import { inlineChunks, toChunks, type Chunk } from '../steps/plan-kv-chunks.js';
import { kvCalls, kvIrreversible, kvUnverifiable } from './kv-calls.js';
import {
  chooseKeys,
  clashesWithin,
  clashesWithStore,
  countKeys,
  type DatatypeClash,
} from './kv-datatypes.js';

type KvPlanRun = PlanRun<PreparedModifyKvStore, ModifyKvStoreInput>;

/** The checked list, in the chunks of the run. */
interface CheckedList {
  chunks: Chunk[];
  totals: KvTotals;
  secrets: SecretPlace[];
}

/**
 * Plans `modifyKvStore`: whether the store exists, whether every line of the list is sound, whether the
 * existing keys have the datatypes of the items, and how many calls the run needs. Takes no turn, so it
 * does not wait for a run that writes into the store now.
 */
export async function planModifyKvStore(run: KvPlanRun): Promise<Plan> {
  const draft = createDraft(Operation.modifyKvStore);
  const isThere = await checkStore(run, draft);
  const list = await checkList(run, draft);
  if (list === undefined) return draft.finish();
  const { storeId, force, verify } = run.prepared;
  reportClashes(draft, clashesWithin(run.input.items ?? []), force);
  if (isThere) await checkKeys(run, draft, list);
  await checkSecrets(run, draft, list.secrets);
  for (const what of kvUnverifiable(list.totals)) {
    draft.warn({
      path: 'verify',
      message: `cannot show ${what}`,
      advice: 'Nothing to do: the result lists them as unverified.',
    });
  }
  draft.calls.push(...kvCalls({ storeId, force, verify, chunks: list.chunks }));
  draft.irreversible.push(...kvIrreversible(list.totals, force));
  return draft.finish();
}

/** Returns false when there are no keys to look at. */
async function checkStore(
  { prepared: { storeId }, reads }: KvPlanRun,
  draft: Draft,
): Promise<boolean> {
  const path = 'storeId';
  const seen = await draft.look(`KV store ${storeId}`, () => reads.readKvStore({ storeId }), path);
  if (seen.is === 'missing') {
    draft.fault({
      path,
      message: `There is no KV store ${storeId}`,
      advice: 'Check the id: GET /fastedge/v1/kv lists them.',
    });
  }
  if (seen.is !== 'there') return false;
  if (seen.value.revision === undefined) {
    draft.warn({
      path,
      message: `${seen.value.name} keeps its data in your own database (BYOD), without a revision`,
      advice: 'Nothing to do, but the run cannot tell whether others write into it meanwhile.',
    });
  }
  return true;
}

async function checkList(run: KvPlanRun, draft: Draft): Promise<CheckedList | undefined> {
  const { manifest, items = [] } = run.input;
  if (manifest === undefined) {
    const totals = emptyKvTotals();
    for (const item of items) countKvItem(totals, item);
    return { chunks: inlineChunks(run) ?? [], totals, secrets: secretPlaces(items, 'items') };
  }
  const { allowIrreversible, chunkItems: mostItems } = run.prepared;
  const survey = await draft.look(
    'the manifest',
    () => run.longReads.surveyKvManifest({ manifest, allowIrreversible, mostItems }),
    'manifest.url',
  );
  if (survey.is !== 'there') return undefined;
  const { ranges, totals, secrets = [] } = survey.value;
  return { chunks: toChunks(manifest, ranges), totals, secrets };
}

/** The API refuses a whole call because of one key with another datatype. */
async function checkKeys(run: KvPlanRun, draft: Draft, list: CheckedList): Promise<void> {
  const { storeId, force } = run.prepared;
  const { samples, isAll } = chooseKeys(list.chunks);
  for (const { readback, pathOf } of samples) {
    const found = await draft.look('the existing keys', () =>
      run.longReads.findKvDatatypes({ storeId, ...readback }),
    );
    if (found.is !== 'there') return;
    reportClashes(draft, clashesWithStore(found.value, pathOf), force);
  }
  if (isAll) return;
  const lookedAt = samples.reduce((sum, { readback }) => sum + countKeys(readback), 0);
  draft.warn({
    path: run.input.manifest === undefined ? 'items' : 'manifest',
    message: `has more keys than the ${lookedAt} that were looked at: others may have another datatype`,
    advice: 'Nothing to do: the API refuses such a key itself. What was written before stays.',
  });
}

function reportClashes(draft: Draft, clashes: readonly DatatypeClash[], force: boolean): void {
  for (const { path, key, datatype, wanted } of clashes) {
    const message = `the key "${key}" has the datatype ${datatype} by then, not ${wanted}`;
    if (force) draft.irreversible.push(`${path}: ${message}; its value is lost.`);
    else {
      draft.fault({
        path: `${path}.datatype`,
        message,
        advice: 'Delete the key first, or set "force" and "allowIrreversible".',
      });
    }
  }
}
