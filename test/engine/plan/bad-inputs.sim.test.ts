import { beforeAll, describe, expect, it } from '@jest/globals';

import { createGcoreWorkflows } from '../../../src/client/index.js';
import type { Operations } from '../../../src/contract/index.js';
import type { Plan } from '../../../src/engine/schema/documents.js';
import { IMPORT_MANIFESTS } from '../../support/inputs/bad-import-inputs.js';
import { PROTECT_STATE } from '../../support/inputs/bad-protect-inputs.js';
import { PUSH_MANIFESTS, PUSH_STATE } from '../../support/inputs/bad-push-inputs.js';
import type { BadInput } from '../../support/inputs/bad-input.js';
import { BAD_INPUTS } from '../../support/operations/index.js';
import { inScenario } from '../../simulation/scenario.js';
import { stateWithKeys } from '../../support/worlds/ssh-keys.js';

const STATE = {
  ...stateWithKeys([{ name: 'ingest' }]),
  quotas: { cpu_count: 4, vm_count: 10 },
  ...PROTECT_STATE,
  ...PUSH_STATE,
};

const manifests = { ...PUSH_MANIFESTS, ...IMPORT_MANIFESTS };

/** Two operations may refuse the same. */
function titleOf({ operation, name }: Pick<BadInput, 'operation' | 'name'>): string {
  return `${operation}, ${name}`;
}

/** Accepts any object, because the inputs of these tests have faults. */
function isInput(input: unknown): input is Operations[keyof Operations]['input'] {
  return input instanceof Object;
}

describe('a plan of a bad input', () => {
  const plans = new Map<string, Plan>();
  let mutations: readonly unknown[] = ['not read yet'];

  beforeAll(() =>
    inScenario(
      { state: STATE, manifests, secretsPolicy: 'allow' },
      async ({ client, taskQueue, account, simulator }) => {
        const gcore = createGcoreWorkflows({ client, taskQueue, clearSecrets: 'allow' });
        for (const { operation, name, input } of BAD_INPUTS) {
          if (!isInput(input)) throw new Error('The input is not an object');
          plans.set(
            titleOf({ operation, name }),
            await gcore.plan(operation, { input: { ...input, account } }),
          );
        }
        mutations = simulator.mutations();
      },
    ),
  );
  it('changes nothing, with more than ninety different faults', () => {
    expect(BAD_INPUTS.length).toBeGreaterThanOrEqual(90);
    expect(new Set(BAD_INPUTS.map(titleOf)).size).toBe(BAD_INPUTS.length);
    expect(mutations).toEqual([]);
  });

  it.each(BAD_INPUTS)(
    'is not ready, and says where the fault is and what to do: $operation, $name',
    (wanted) => {
      const { ready, findings = [] } = plans.get(titleOf(wanted)) ?? {};

      expect(ready).toBe(false);
      const faults = findings.filter(({ severity }) => severity === 'fault');
      const found = faults.find(({ path }) => path === wanted.path);
      expect({ faults, found }).toMatchObject({ found: { advice: expect.any(String) } });
      expect(`${found?.message ?? ''} ${found?.advice ?? ''}`).toMatch(wanted.says);
    },
  );

  it('finds exactly one fault in each input', () => {
    const faults = [...plans].map(([title, { findings }]) => [
      title,
      findings.filter(({ severity }) => severity === 'fault').map(({ path }) => path),
    ]);

    expect(faults).toEqual(BAD_INPUTS.map((bad) => [titleOf(bad), [bad.path]]));
  });

  it('contains no secret', () => {
    expect(JSON.stringify([...plans.values()])).not.toContain('canary-secret');
  });
});
