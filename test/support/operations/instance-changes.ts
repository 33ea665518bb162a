import { Phase } from '../../../src/engine/core/status.js';
import type { ChangeOperation, Operations } from '../../../src/contract/operations/index.js';
import type { SimulatorState } from '../../../src/simulator/index.js';
import { instanceIdOf, partsOfInstances, stateWithInstances } from '../worlds/instances.js';
import { mostActions } from '../worlds/marked.js';
import { idsFrom } from '../worlds/ssh-keys.js';
import type { MatrixKind, MatrixOperation } from './matrix-operation.js';
import type { OperationCase, TestedOperation } from './tested-operation.js';

type Status = SimulatorState['instances'][number]['status'];

/** An operation that is one call about an instance that exists. */
interface StatedChange<O extends ChangeOperation> {
  operation: O;
  workflowId: string;
  histories: TestedOperation<O>['histories'];
  /** The call that changes something. */
  path: RegExp;
  /** The number of the first instance: each operation has its own. */
  first: number;
  asks: (instanceId: string, seed: number) => Omit<Operations[O]['input'], 'account'>;
  /** The status of the instance at the start. */
  status?: (seed: number) => Extract<Status, 'ACTIVE' | 'SHUTOFF'>;
  isDone: (instance: { flavor: { flavor_id: string }; status: string }, seed: number) => boolean;
  without?: readonly MatrixKind[];
}

/** The name of a request ends with its number, counted from 0. */
const seedOf = (name: string): number => Number(name.split('-').at(-1)) + 1;

function testedChange<O extends ChangeOperation>({
  operation,
  workflowId,
  histories,
  path,
  first,
  asks,
  status = () => 'ACTIVE',
  isDone,
  without = [],
}: StatedChange<O>): TestedOperation<O> {
  const seeded = (seed: number) => ({ of: first + seed, status: status(seed) });
  const input = (seed: number) => asks(instanceIdOf(first + seed), seed);
  const matrix: MatrixOperation = {
    operation,
    calls: {
      create: { method: 'POST', path },
      wait: { method: 'GET', path: /^\/cloud\/v1\/tasks/ },
      verify: { method: 'GET', path: /^\/cloud\/v1\/instances\/\d+\/\d+\/./, nth: 2 },
    },
    without,
    input: ({ seed }) => input(seed),
    stateFor: (seeds) => partsOfInstances(seeds.map(seeded)),
    judge({ seed, status: { phase }, simulator }) {
      const [instance] = simulator
        .inventory()
        .instances.filter(({ id }) => id === instanceIdOf(first + seed));
      const isTrue = phase !== Phase.succeeded || (instance && isDone(instance, seed));
      return { differences: 0, isTrue: isTrue === true };
    },
    most: mostActions,
  };
  const plainCase: OperationCase<O> = {
    operation,
    makes: 1,
    changes: 'POST',
    state: stateWithInstances(idsFrom(1, 60).map(seeded)),
    input: (name) => input(seedOf(name)),
  };
  return { workflowId, cases: [plainCase], matrix, histories };
}

const ACTIONS = ['start', 'stop', 'reboot', 'reboot_hard'] as const;
const actionOf = (seed: number) => ACTIONS[seed % ACTIONS.length] ?? 'start';

export const TESTED_CHANGES: { readonly [O in ChangeOperation]: TestedOperation<O> } = {
  resizeInstance: testedChange({
    operation: 'resizeInstance',
    workflowId: 'resize-instance/blue/audit-7',
    histories: ['instance-resized'],
    path: /\/changeflavor$/,
    first: 100_000,
    asks: (instanceId) => ({ instanceId, flavor: 'g2-standard-4-8' }),
    isDone: ({ flavor }) => flavor.flavor_id === 'g2-standard-4-8',
  }),
  setInstancePower: testedChange({
    operation: 'setInstancePower',
    workflowId: 'set-instance-power/blue/audit-7',
    histories: ['instance-restarted'],
    path: /\/action$/,
    first: 200_000,
    asks: (instanceId, seed) => ({ instanceId, action: actionOf(seed) }),
    status: (seed) => (actionOf(seed) === 'start' ? 'SHUTOFF' : 'ACTIVE'),
    isDone: ({ status }, seed) => status === (actionOf(seed) === 'stop' ? 'SHUTOFF' : 'ACTIVE'),
    // Of a restart nothing but its task tells: see `restarts-unknown` in the test of the operation.
    without: ['task 404'],
  }),
};
