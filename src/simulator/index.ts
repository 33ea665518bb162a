/** A stateful stand-in for the remote API, with scripted faults. */
export {
  createSimulator,
  DEFAULT_API_KEY,
  type Inventory,
  type Simulator,
  type SimulatorOptions,
} from './create-simulator.js';
export type {
  DelayAction,
  FaultAction,
  FaultKind,
  FaultMatch,
  FaultRule,
} from './faults/fault-rule.js';
export { FaultName } from '../contract/wire/fault-names.js';
export type { Listener, ListenOptions } from './http/listen.js';
export type { LoggedRequest, ReceivedRequest } from './http/request-log.js';
export { NameForm } from './state/name-form.js';
export { emptyState, parseSimulatorState, type SimulatorState } from './state/simulator-state.js';
