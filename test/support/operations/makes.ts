import { Phase } from '../../../src/engine/core/status.js';
import type { MakeOperation, Operations } from '../../../src/contract/operations/index.js';
import type { SimulatorState } from '../../../src/simulator/index.js';
import { dataVolumeOf, partsOfInstances, stateWithInstances } from '../worlds/instances.js';
import { existingOf, mostMadeAlone } from '../worlds/marked.js';
import { idsFrom } from '../worlds/ssh-keys.js';
import { badInputsOf } from '../inputs/bad-input.js';
import type { Leftover, MatrixOperation } from './matrix-operation.js';
import type { OperationCase, TestedOperation } from './tested-operation.js';

/** An operation that makes one thing in one step. */
interface StatedMake<O extends MakeOperation> {
  operation: O;
  workflowId: string;
  histories: TestedOperation<O>['histories'];
  /** Where its call goes; what it makes is below it. */
  collection: string;
  /** What a failed task may leave behind. */
  leftovers: readonly [Leftover, ...Leftover[]];
  /** The number of the first instance that it needs, if it needs any: each operation has its own. */
  first?: number;
  /** @param of the number of the instance */
  asks: (name: string, of: number) => Omit<Operations[O]['input'], 'account'>;
  badInputs?: TestedOperation<O>['badInputs'];
}

/** The name of a request ends with its number, counted from 0. */
const seedOf = (name: string): number => Number(name.split('-').at(-1)) + 1;

function testedMake<O extends MakeOperation>({
  operation,
  workflowId,
  histories,
  collection,
  leftovers,
  first,
  asks,
  badInputs = [],
}: StatedMake<O>): TestedOperation<O> {
  const list = `/cloud/v1/${collection}/\\d+/\\d+`;
  const partsFor = (seeds: readonly number[]): Partial<SimulatorState> =>
    first === undefined ? {} : partsOfInstances(seeds.map((seed) => ({ of: first + seed })));
  const matrix: MatrixOperation = {
    operation,
    calls: {
      create: { method: 'POST', path: new RegExp(`^${list}$`) },
      wait: { method: 'GET', path: /^\/cloud\/v1\/tasks/ },
      verify: { method: 'GET', path: new RegExp(`^${list}/[^/]+$`) },
      rollback: { method: 'DELETE', path: /./ },
    },
    leftovers,
    input: ({ seed, name, onFailure }) => ({ ...asks(name, (first ?? 0) + seed), onFailure }),
    stateFor: partsFor,
    judge({ status, name, simulator, onFailure, isHidden }) {
      const inventory = simulator.inventory();
      const { ledger, existing } = existingOf(status, { workflowId: name, inventory });
      const unnamed = existing.filter((id) => !ledger.includes(id));
      const gone = ledger.filter((id) => !existing.includes(id));
      const isKept = onFailure === 'keep' || isHidden || existing.length === 0;
      return {
        // A hidden run also names what may not exist. Only an unnamed thing is an error.
        differences: unnamed.length + (isHidden ? 0 : gone.length),
        isTrue: status.phase === Phase.succeeded ? existing.length === 1 : isKept,
      };
    },
    most: mostMadeAlone,
  };
  const plainCase: OperationCase<O> = {
    operation,
    makes: 1,
    changes: 'POST',
    state: { ...stateWithInstances([]), ...partsFor(idsFrom(1, 60)) },
    input: (name) => asks(name, (first ?? 0) + seedOf(name)),
  };
  return { workflowId, cases: [plainCase], matrix, histories, badInputs };
}

const badVolumeOf = badInputsOf('createVolume', { source: 'new-volume', name: 'data', size: 20 });
const withSource = (name: string, change: object, path: string) =>
  badVolumeOf(`createVolume with ${name}`, change, [path, /is needed when "source" is/]);

export const TESTED_MAKES: { readonly [O in MakeOperation]: TestedOperation<O> } = {
  createVolume: testedMake({
    operation: 'createVolume',
    workflowId: 'create-volume/blue/audit-7',
    histories: ['volume-made', 'volume-held'],
    collection: 'volumes',
    leftovers: ['none', 'volume'],
    asks: (name) => ({ source: 'new-volume', name, size: 20 }),
    badInputs: [
      withSource('an image that it does not name', { source: 'image' }, 'imageId'),
      withSource('a snapshot that it does not name', { source: 'snapshot' }, 'snapshotId'),
      withSource('an image that it does not use', { imageId: dataVolumeOf(1) }, 'imageId'),
    ],
  }),
  snapshotVolume: testedMake({
    operation: 'snapshotVolume',
    workflowId: 'snapshot-volume/blue/audit-7',
    histories: ['snapshot-made', 'snapshot-cancelled'],
    collection: 'snapshots',
    leftovers: ['none'],
    first: 250_000,
    asks: (name, of) => ({ volumeId: dataVolumeOf(of), name }),
  }),
};
