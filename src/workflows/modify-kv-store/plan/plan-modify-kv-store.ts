import type { PreparedModifyKvStore } from '../../../contract/prepared/modify-kv-store.js';
import { countKvItem, emptyKvTotals, type KvTotals } from '../../../contract/kv-totals.js';
import { Operation } from '../../../contract/names.js';
import type { ModifyKvStoreInput } from '../../../contract/operations/modify-kv-store.js';
import type { Plan } from '../../../contract/plan.js';
import { createDraft, type Draft, type PlanRun } from '../../engine/plan/planning.js';
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

/** A list, checked and cut as the run would cut it. */
interface CheckedList {
  chunks: Chunk[];
  totals: KvTotals;
}

/**
 * Whether there is the store, whether every line of the list is sound, whether the keys that are
 * there are what the items take them for, and how many calls it takes. It takes no turn: a run that
 * writes into the store now would be waited for.
 */
export async function planModifyKvStore(run: KvPlanRun): Promise<Plan> {
  const draft = createDraft(Operation.modifyKvStore);
  const isThere = await checkStore(run, draft);
  const list = await checkList(run, draft);
  if (list === undefined) return draft.finish();
  const { storeId, force, verify } = run.prepared;
  tellClashes(draft, clashesWithin(run.input.items ?? []), force);
  if (isThere) await checkKeys(run, draft, list);
  for (const what of kvUnverifiable(list.totals)) {
    draft.warn({
      path: 'verify',
      message: `cannot show ${what}`,
      advice: 'Nothing to do: the result names them as unverified.',
    });
  }
  draft.calls.push(...kvCalls({ storeId, force, verify, chunks: list.chunks }));
  draft.irreversible.push(...kvIrreversible(list.totals, force));
  return draft.finish();
}

/** False where the keys need not be looked at. */
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
      message: `${seen.value.name} keeps its data in a database of yours (BYOD), without a revision`,
      advice: 'Nothing to do: but nobody can tell whether others write into it meanwhile.',
    });
  }
  return true;
}

async function checkList(run: KvPlanRun, draft: Draft): Promise<CheckedList | undefined> {
  const { manifest, items = [] } = run.input;
  if (manifest === undefined) {
    const totals = emptyKvTotals();
    for (const item of items) countKvItem(totals, item);
    return { chunks: inlineChunks(run) ?? [], totals };
  }
  const { allowIrreversible, chunkItems: mostItems } = run.prepared;
  const survey = await draft.look(
    'the manifest',
    () => run.longReads.surveyKvManifest({ manifest, allowIrreversible, mostItems }),
    'manifest.url',
  );
  if (survey.is !== 'there') return undefined;
  const { ranges, totals } = survey.value;
  return { chunks: toChunks(manifest, ranges), totals };
}

/** The API would refuse the whole call for one key of another datatype. */
async function checkKeys(run: KvPlanRun, draft: Draft, list: CheckedList): Promise<void> {
  const { storeId, force } = run.prepared;
  const { samples, isAll } = chooseKeys(list.chunks);
  for (const { readback, pathOf } of samples) {
    const found = await draft.look('the keys that are there', () =>
      run.longReads.findKvDatatypes({ storeId, ...readback }),
    );
    if (found.is !== 'there') return;
    tellClashes(draft, clashesWithStore(found.value, pathOf), force);
  }
  if (isAll) return;
  const looked = samples.reduce((sum, { readback }) => sum + countKeys(readback), 0);
  draft.warn({
    path: run.input.manifest === undefined ? 'items' : 'manifest',
    message: `has more keys than the ${looked} that were looked at: some of the others may have another datatype`,
    advice: 'Nothing to do: the API refuses such a key itself, and what was written before stays.',
  });
}

function tellClashes(draft: Draft, clashes: readonly DatatypeClash[], force: boolean): void {
  for (const { path, key, datatype, wanted } of clashes) {
    const message = `the key "${key}" is of datatype ${datatype} by then, not ${wanted}`;
    if (force) draft.irreversible.push(`${path}: ${message}; what it holds is lost.`);
    else {
      draft.fault({
        path: `${path}.datatype`,
        message,
        advice: 'Delete the key first, or give "force" with "allowIrreversible".',
      });
    }
  }
}
