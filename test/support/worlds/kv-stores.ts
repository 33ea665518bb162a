import type { KvItem, ModifyKvStoreInput } from '../../../src/contract/index.js';
import {
  createSimulator,
  type Simulator,
  type SimulatorState,
} from '../../../src/simulator/index.js';

export const STORE = 1;
export const STORES_PATH = '/fastedge/v1/kv';
export const DATA_PATH = `${STORES_PATH}/${STORE}/data`;

/** A cloud with empty stores; their ids begin at 1. The first one is as `change` says. */
export function stateWithStores(
  count = 1,
  change: Partial<SimulatorState['kvStores'][number]> = {},
): SimulatorState {
  return {
    ...createSimulator().snapshot(),
    sequence: count,
    kvStores: Array.from({ length: count }, (_, index) => ({
      id: String(index + 1),
      name: `store-${index + 1}`,
      comment: '',
      byod: null,
      appIds: [],
      revision: 100,
      updatedAt: 0,
      ...(index === 0 && change),
    })),
  };
}

export function add(key: string, value: string): KvItem {
  return { op: 'add', key, datatype: 'kv', payload: { value } };
}

/** `key-1` holds `value-1`, and so on. */
export function manyItems(count: number): KvItem[] {
  return Array.from({ length: count }, (_, index) => add(`key-${index + 1}`, `value-${index + 1}`));
}

/** `user/0`, `user/1` …, each with a value of 200 bytes. */
export function manyUsers(count: number): KvItem[] {
  return Array.from({ length: count }, (_, index) =>
    add(`user/${index}`, `value of ${index}`.padEnd(200, '.')),
  );
}

/** Three plain keys. */
export function kvInput(
  change: Partial<ModifyKvStoreInput> = {},
): Omit<ModifyKvStoreInput, 'account'> {
  return { storeId: STORE, items: manyItems(3), ...change };
}

/** The content of a store: for each key its value, or its members with their scores. */
export function contentOf(simulator: Simulator, storeId = STORE): Record<string, unknown> {
  const rows = simulator.snapshot().kvEntries.filter((row) => row.storeId === String(storeId));
  return Object.fromEntries(
    rows.map(({ key, datatype, values }) => [
      key,
      datatype === 'kv' ? values[0]?.value : values.map(({ value, score }) => [value, score]),
    ]),
  );
}
