import { BAD_BATCH_INPUTS } from '../inputs/bad-batch-inputs.js';
import { stateWithInstances, instanceIdOf } from '../worlds/instances.js';
import type { MatrixOperation } from './matrix-operation.js';
import type { OperationCase, TestedOperation } from './tested-operation.js';

const plainCase: OperationCase<'runBatch'> = {
  operation: 'runBatch',
  makes: 0,
  state: stateWithInstances([{ of: 1 }]),
  input: () => ({
    operation: 'setInstancePower',
    items: [{ instanceId: instanceIdOf(1), action: 'stop' }],
  }),
};

const matrix: MatrixOperation = {
  operation: 'runBatch',
  calls: {},
  input: plainCase.input.bind(undefined, 'audit-7'),
  judge: () => ({ differences: 0, isTrue: true }),
};

export const runBatch: TestedOperation<'runBatch'> = {
  badInputs: BAD_BATCH_INPUTS,
  workflowId: 'run-batch/blue/audit-7',
  cases: [plainCase],
  matrix,
  byOtherRuns: true,
  histories: ['batch-done', 'batch-items-failed', 'batch-went-on'],
};
