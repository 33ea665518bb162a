import type { Simulator } from '../../../src/simulator/index.js';
import { createGate } from '../timing/gate.js';

/**
 * Holds every read of tasks: runs keep waiting for their tasks, however long a busy machine takes for
 * what comes next. The tasks themselves go on.
 *
 * @returns lets the reads go on.
 */
export function holdTaskReads(simulator: Simulator): () => void {
  const gate = createGate();
  simulator.faults.add({
    match: { method: 'GET', path: /^\/cloud\/v1\/tasks/, times: Infinity },
    action: { kind: 'delay', until: gate.opened },
  });
  return () => {
    gate.open();
  };
}
