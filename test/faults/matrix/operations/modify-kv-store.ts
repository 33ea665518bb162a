import { Phase } from '../../../../src/contract/status.js';
import {
  contentOf,
  kvInput,
  manyItems,
  stateWithStores,
} from '../../../support/worlds/kv-stores.js';
import type { MatrixOperation } from './matrix-operation.js';

const STORES = 500;
const ITEMS = 5;
const storeOf = (seed: number): number => (seed % STORES) + 1;
const data = /^\/fastedge\/v1\/kv\/\d+\/data/;

/** What is written stays, however the run ends: there is nothing to roll back. */
export const modifyKvStore: MatrixOperation = {
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
