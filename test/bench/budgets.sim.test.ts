import { describe, expect, it } from '@jest/globals';

import { measureCosts } from '../../bench/figures/costs.js';
import { inScenario } from '../simulation/scenario.js';
import { OPERATION_CASES } from '../support/operations/index.js';
import type { OperationCase } from '../support/operations/tested-operation.js';
import { BUDGETS } from './budgets.js';

function nameOf({ operation, where }: OperationCase): string {
  return where === undefined ? operation : `${operation}, ${where}`;
}

describe('a run without problems', () => {
  it.each(OPERATION_CASES.map((measured) => ({ name: nameOf(measured), measured })))(
    'costs exactly its budget: $name',
    async ({ name, measured }) => {
      const { events, ...costs } = await measureCosts(measured, inScenario);

      expect(costs).toEqual(BUDGETS[name]);
      expect(events).toBeGreaterThan(0);
    },
  );
});
