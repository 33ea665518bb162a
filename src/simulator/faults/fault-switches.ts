import { FaultName } from '../../contract/wire/fault-names.js';
import type { AddedRule, FaultScript } from './fault-script.js';
import { NAMED_FAULTS } from './named-faults.js';

export interface FaultState {
  name: FaultName;
  says: string;
  /** False again once it has met the request that it was for. */
  active: boolean;
}

export interface FaultSwitches {
  /** Starts a fault; one that has met its request waits for the next one. */
  start: (name: FaultName) => void;
  stop: (name: FaultName) => void;
  list: () => FaultState[];
}

/** The named faults of a script. */
export function createFaultSwitches(script: FaultScript): FaultSwitches {
  const started = new Map<FaultName, AddedRule>();
  const stop = (name: FaultName): void => {
    started.get(name)?.remove();
    started.delete(name);
  };
  return {
    start(name) {
      stop(name);
      started.set(name, script.add(NAMED_FAULTS[name].rule));
    },
    stop,
    list: () =>
      Object.values(FaultName).map((name) => ({
        name,
        says: NAMED_FAULTS[name].says,
        active: started.get(name)?.isOpen() === true,
      })),
  };
}
