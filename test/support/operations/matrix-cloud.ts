import { createSimulator, type SimulatorState } from '../../../src/simulator/index.js';
import { MATRIX_OPERATIONS } from './index.js';
import type { MatrixOperation } from './matrix-operation.js';

/** The state of one cloud in which requests of all operations with these seeds can be carried out. */
export function matrixState(
  seedsOf: (operation: MatrixOperation) => readonly number[],
): SimulatorState {
  // New ids must come after the ids in this state.
  const empty = { ...createSimulator().snapshot(), sequence: 10_000 };
  return MATRIX_OPERATIONS.reduce<SimulatorState>(
    (all, operation) =>
      addRows({ ...all, ...operation.state }, operation.stateFor?.(seedsOf(operation))),
    empty,
  );
}

/** Several operations may bring rows of one kind. */
function addRows(
  state: SimulatorState,
  {
    instances = [],
    volumes = [],
    floatingIps = [],
    sshKeys = [],
    sftpStorages = [],
    kvStores = [],
    videos = [],
    ...rest
  }: Partial<SimulatorState> = {},
): SimulatorState {
  return {
    ...state,
    ...rest,
    instances: [...state.instances, ...instances],
    volumes: [...state.volumes, ...volumes],
    floatingIps: [...state.floatingIps, ...floatingIps],
    sshKeys: [...state.sshKeys, ...sshKeys],
    sftpStorages: [...state.sftpStorages, ...sftpStorages],
    kvStores: [...state.kvStores, ...kvStores],
    videos: [...state.videos, ...videos],
  };
}

/** Remembers the maximum number of resources that one request ever had. More than 1 is a duplicate. */
export function mostOfOne() {
  let maximum = 0;
  return {
    see: (state: SimulatorState): void => {
      const counts = MATRIX_OPERATIONS.map((operation) => operation.most?.(state) ?? 0);
      maximum = Math.max(maximum, ...counts);
    },
    most: (): number => maximum,
  };
}
