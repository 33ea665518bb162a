import { describe, expect, it } from '@jest/globals';

import { parseItem } from '../../src/contract/batch-items.js';
import { partNameFaults } from '../../src/contract/part-names.js';
import { provisionInput } from '../support/inputs/provision-input.js';

describe('the name of a part of another run', () => {
  it.each([
    ['provisionInstance', 'order-7/protect'],
    ['replaceInstance', 'order-7/instance'],
    ['replaceInstance', 'order-7/instance/protect'],
    ['replaceInstance', 'replace-instance/default/order-7/back'],
  ])('is no name of a request of %s: %s', (operation, id) => {
    expect(partNameFaults(operation, 'requestId', id)).toMatchObject([{ path: 'requestId' }]);
  });

  it.each([
    ['provisionInstance', 'order-7/instance'],
    ['provisionInstance', 'protect'],
    ['replaceInstance', 'order-7/instances'],
    ['protectIp', 'provision-instance/default/order-7/protect'],
    ['constructor', 'a/protect'],
  ])('may be a name of %s: %s', (operation, id) => {
    expect(partNameFaults(operation, 'requestId', id)).toEqual([]);
  });

  it('is no name of an item of a batch', () => {
    const terms = { operation: 'provisionInstance', account: 'blue', prefix: 'fleet' } as const;
    const item = provisionInput();

    const faultsOf = (requestId: string) => {
      const parsed = parseItem(terms, { ...item, requestId });
      return parsed.ok ? [] : parsed.faults.map(({ path }) => path);
    };

    expect(faultsOf('web/protect')).toEqual(['requestId']);
    expect(faultsOf('web/1')).toEqual([]);
  });
});
