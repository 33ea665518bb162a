import type { ReplaceInstanceInput } from '../../../src/contract/operations/types.js';
import { badInputsOf } from '../inputs/bad-input.js';
import { NETWORK } from '../inputs/bad-inputs.js';
import { provisionInput } from '../inputs/provision-input.js';
import { floatingIpOf, instanceIdOf, stateWithInstances } from '../worlds/instances.js';
import type { MatrixOperation } from './matrix-operation.js';
import type { OperationCase, TestedOperation } from './tested-operation.js';

type Input = Omit<ReplaceInstanceInput, 'account'>;

const INTERFACES = [{ type: 'any_subnet' as const, network_id: NETWORK }];

/** Replaces instance 1, which has a floating IP. */
export function replaceInput(rest: Partial<Input> = {}): Input {
  return {
    ...provisionInput({ name: 'web-new', interfaces: INTERFACES }),
    instanceId: instanceIdOf(1),
    floatingIpId: floatingIpOf(1),
    ...rest,
  };
}

const plainCase: OperationCase<'replaceInstance'> = {
  operation: 'replaceInstance',
  makes: 0,
  state: stateWithInstances([{ of: 1 }]),
  input: () => replaceInput({ deleteOld: { volumes: 'delete' } }),
};

const matrix: MatrixOperation = {
  operation: 'replaceInstance',
  calls: {},
  input: () => replaceInput(),
  judge: () => ({ differences: 0, isTrue: true }),
};

const bad = badInputsOf('replaceInstance', replaceInput());
const withFloatingIp = {
  ...replaceInput().instance,
  interfaces: [{ ...INTERFACES[0], floating_ip: { source: 'new' } }],
};

export const replaceInstance: TestedOperation<'replaceInstance'> = {
  workflowId: 'replace-instance/blue/audit-7',
  cases: [plainCase],
  matrix,
  byOtherRuns: true,
  histories: ['instance-replaced', 'replacement-undone'],
  badInputs: [
    bad('a floating IP for the new instance', { instance: withFloatingIp }, [
      'instance',
      /gets the one of the old instance/,
    ]),
    bad('a floating IP that does not exist', { floatingIpId: floatingIpOf(9) }, [
      'floatingIpId',
      /There is no floating IP/,
    ]),
    bad('no volumes of the old instance chosen', { deleteOld: {} }, [
      'deleteOld.volumes',
      /is missing: choose/,
    ]),
  ],
};
