import { Phase } from '../../../src/engine/core/status.js';
import { BAD_PUSH_INPUTS } from '../inputs/bad-push-inputs.js';
import { contentOf, kvInput, manyItems, stateWithStores } from '../worlds/kv-stores.js';
import type { MatrixOperation } from './matrix-operation.js';
import type { OperationCase, TestedOperation } from './tested-operation.js';

const STORES = 500;
const ITEMS = 5;
const storeOf = (seed: number): number => (seed % STORES) + 1;
const data = /^\/fastedge\/v1\/kv\/\d+\/data/;

/** Written items stay, however the run ends: a run never rolls back. */
const matrix: MatrixOperation = {
  operation: 'modifyKvStore',
  calls: {
    create: { method: 'PUT', path: data },
    verify: { method: 'GET', path: data },
  },
  without: ['list lag', 'task ERROR', 'task 404'],
  input: ({ seed }) =>
    kvInput({ storeId: storeOf(seed), items: manyItems(ITEMS), chunkItems: 2, verify: 'all' }),
  state: { kvStores: stateWithStores(STORES).kvStores },
  judge: ({ seed, status, simulator }) => {
    const content = contentOf(simulator, storeOf(seed));
    const wanted = Object.fromEntries(
      Array.from({ length: ITEMS }, (_, index) => [`key-${index + 1}`, `value-${index + 1}`]),
    );
    const wrong = Object.keys(content).filter((key) => content[key] !== wanted[key]);
    const missing = Object.keys(wanted).filter((key) => content[key] === undefined);
    return {
      differences: wrong.length,
      isTrue: status.phase !== Phase.succeeded || missing.length === 0,
    };
  },
};

/** Of one length, so that each request has as many bytes, whatever a test before it has asked for. */
const CASE_STORES = { first: 100, last: 999 } as const;
let nextId: number = CASE_STORES.first;

function nextStore(): number {
  const id = nextId;
  nextId = id === CASE_STORES.last ? CASE_STORES.first : id + 1;
  return id;
}

const plainCase: OperationCase<'modifyKvStore'> = {
  operation: 'modifyKvStore',
  makes: 0,
  state: stateWithStores(CASE_STORES.last),
  // Each request has its own store, because requests for one store wait for one another.
  input: () => kvInput({ storeId: nextStore(), chunkItems: 2 }),
};

export const modifyKvStore: TestedOperation<'modifyKvStore'> = {
  workflowId: 'modify-kv-store/blue/audit-7',
  cases: [plainCase],
  matrix,
  histories: ['kv-cancelled', 'kv-refused', 'kv-written'],
  badInputs: BAD_PUSH_INPUTS,
};
