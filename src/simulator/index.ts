/** A stateful stand-in for the remote API, with scripted faults. */
export {
  createSimulator,
  DEFAULT_API_KEY,
  type Inventory,
  type Simulator,
  type SimulatorOptions,
} from './create-simulator.js';
export type { DelayAction, FaultAction, FaultKind, FaultMatch, FaultRule } from './fault-rule.js';
export type { Listener, ListenOptions } from './listen.js';
export type { LoggedRequest, ReceivedRequest } from './request-log.js';
export { parseSimulatorState, type SimulatorState } from './simulator-state.js';
