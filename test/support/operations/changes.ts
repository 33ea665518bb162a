import { Phase } from '../../../src/engine/core/status.js';
import type {
  ChangeOperation,
  Operations,
  PlacedOperation,
} from '../../../src/contract/operations/index.js';
import type { Inventory } from '../../../src/simulator/index.js';
import {
  dataVolumeOf,
  floatingIpOf,
  instanceIdOf,
  partsOfInstances,
  portOf,
  snapshotOf,
  snapshotsOf,
  stateWithInstances,
  type SeededInstance,
} from '../worlds/instances.js';
import { mostActions } from '../worlds/marked.js';
import { idsFrom } from '../worlds/ssh-keys.js';
import type { MatrixKind, MatrixOperation } from './matrix-operation.js';
import type { OperationCase, TestedOperation } from './tested-operation.js';

/** Those that change an instance or a volume. */
type TestedChange = Exclude<Extract<ChangeOperation, PlacedOperation>, 'removeProtection'>;

/** The instance of a seed, with its data volume. */
interface Seen {
  instance: Inventory['instances'][number] | undefined;
  volume: Inventory['volumes'][number] | undefined;
  floatingIp: Inventory['floatingIps'][number] | undefined;
}

/** An operation that is one call about an instance, or about its data volume. */
interface StatedChange<O extends TestedChange> {
  operation: O;
  workflowId: string;
  histories: TestedOperation<O>['histories'];
  /** Of its call; `POST` when left out. */
  changes?: 'POST' | 'PATCH';
  /** The call that changes something, and the read that verifies it. */
  path: RegExp;
  verify?: RegExp;
  /** The number of the first instance: each operation has its own. */
  first: number;
  /** @param of the number of the instance */
  asks: (of: number, seed: number) => Omit<Operations[O]['input'], 'account'>;
  /** How the instance is at the start. */
  begins?: (seed: number) => Omit<SeededInstance, 'of'>;
  isDone: (seen: Seen, seed: number, of: number) => boolean;
  without?: readonly MatrixKind[];
}

/** The name of a request ends with its number, counted from 0. */
const seedOf = (name: string): number => Number(name.split('-').at(-1)) + 1;

const ONE_INSTANCE = /^\/cloud\/v1\/instances\/\d+\/\d+\/./;
const ONE_VOLUME = /^\/cloud\/v1\/volumes\/\d+\/\d+\/[^/]+$/;

function testedChange<O extends TestedChange>({
  operation,
  workflowId,
  histories,
  changes = 'POST',
  path,
  verify = ONE_VOLUME,
  first,
  asks,
  begins = () => ({}),
  isDone,
  without = [],
}: StatedChange<O>): TestedOperation<O> {
  const seeded = (seed: number) => ({ of: first + seed, ...begins(seed) });
  const input = (seed: number) => asks(first + seed, seed);
  const partsFor = (seeds: readonly number[]) => {
    const rows = seeds.map(seeded);
    return { ...partsOfInstances(rows), ...snapshotsOf(rows) };
  };
  const matrix: MatrixOperation = {
    operation,
    calls: {
      create: { method: changes, path },
      wait: { method: 'GET', path: /^\/cloud\/v1\/tasks/ },
      verify: { method: 'GET', path: verify, nth: 2 },
    },
    without,
    input: ({ seed }) => input(seed),
    stateFor: partsFor,
    judge({ seed, status: { phase }, simulator }) {
      const of = first + seed;
      const { instances, volumes, floatingIps } = simulator.inventory();
      const seen = {
        instance: instances.find(({ id }) => id === instanceIdOf(of)),
        volume: volumes.find(({ id }) => id === dataVolumeOf(of)),
        floatingIp: floatingIps.find(({ id }) => id === floatingIpOf(of)),
      };
      return { differences: 0, isTrue: phase !== Phase.succeeded || isDone(seen, seed, of) };
    },
    most: mostActions,
  };
  const plainCase: OperationCase<O> = {
    operation,
    makes: 1,
    changes,
    state: { ...stateWithInstances([]), ...partsFor(idsFrom(1, 60)) },
    input: (name) => input(seedOf(name)),
  };
  return { workflowId, cases: [plainCase], matrix, histories };
}

const ACTIONS = ['start', 'stop', 'reboot', 'reboot_hard'] as const;
const actionOf = (seed: number) => ACTIONS[seed % ACTIONS.length] ?? 'start';

export const TESTED_CHANGES: { readonly [O in TestedChange]: TestedOperation<O> } = {
  resizeInstance: testedChange({
    operation: 'resizeInstance',
    workflowId: 'resize-instance/blue/audit-7',
    histories: ['instance-resized'],
    path: /\/changeflavor$/,
    verify: ONE_INSTANCE,
    first: 100_000,
    asks: (of) => ({ instanceId: instanceIdOf(of), flavor: 'g2-standard-4-8' }),
    isDone: ({ instance }) => instance?.flavor.flavor_id === 'g2-standard-4-8',
  }),
  setInstancePower: testedChange({
    operation: 'setInstancePower',
    workflowId: 'set-instance-power/blue/audit-7',
    histories: ['instance-restarted'],
    path: /\/action$/,
    verify: ONE_INSTANCE,
    first: 200_000,
    asks: (of, seed) => ({ instanceId: instanceIdOf(of), action: actionOf(seed) }),
    begins: (seed) => ({ status: actionOf(seed) === 'start' ? 'SHUTOFF' : 'ACTIVE' }),
    isDone: ({ instance }, seed) =>
      instance?.status === (actionOf(seed) === 'stop' ? 'SHUTOFF' : 'ACTIVE'),
    // Of a restart nothing but its task tells: see `restarts-unknown` in the test of the operation.
    without: ['task 404'],
  }),
  extendVolume: testedChange({
    operation: 'extendVolume',
    workflowId: 'extend-volume/blue/audit-7',
    histories: ['volume-extended'],
    path: /\/extend$/,
    first: 210_000,
    asks: (of) => ({ volumeId: dataVolumeOf(of), size: 40 }),
    isDone: ({ volume }) => volume?.size === 40,
  }),
  attachVolume: testedChange({
    operation: 'attachVolume',
    workflowId: 'attach-volume/blue/audit-7',
    histories: ['volume-attached'],
    path: /\/attach$/,
    first: 220_000,
    begins: () => ({ dataVolume: 'available' }),
    asks: (of) => ({ volumeId: dataVolumeOf(of), instanceId: instanceIdOf(of) }),
    isDone: ({ volume }, _seed, of) => volume?.attachments[0]?.server_id === instanceIdOf(of),
  }),
  detachVolume: testedChange({
    operation: 'detachVolume',
    workflowId: 'detach-volume/blue/audit-7',
    histories: ['volume-detached'],
    path: /\/detach$/,
    first: 230_000,
    asks: (of) => ({ volumeId: dataVolumeOf(of), instanceId: instanceIdOf(of) }),
    isDone: ({ volume }) => volume?.attachments.length === 0,
  }),
  moveFloatingIp: testedChange({
    operation: 'moveFloatingIp',
    workflowId: 'move-floating-ip/blue/audit-7',
    histories: ['floating-ip-moved'],
    changes: 'PATCH',
    path: /^\/cloud\/v2\/floatingips\//,
    verify: /^\/cloud\/v1\/floatingips\/\d+\/\d+\/./,
    first: 250_000,
    begins: () => ({ floatingIp: 'apart' }),
    asks: (of) => ({ floatingIpId: floatingIpOf(of), instanceId: instanceIdOf(of) }),
    isDone: ({ floatingIp }, _seed, of) => floatingIp?.port_id === portOf(of),
  }),
  revertVolume: testedChange({
    operation: 'revertVolume',
    workflowId: 'revert-volume/blue/audit-7',
    histories: ['volume-reverted'],
    path: /\/revert$/,
    first: 240_000,
    begins: () => ({ dataVolume: 'available' }),
    asks: (of) => ({ volumeId: dataVolumeOf(of), snapshotId: snapshotOf(of) }),
    isDone: ({ volume }) => volume?.status === 'available',
    // Nothing but its task tells of it.
    without: ['task 404'],
  }),
};
