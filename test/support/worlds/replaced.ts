import type { SimulatorState } from '../../../src/simulator/index.js';
import { floatingIpOf } from './instances.js';

/** Who has the floating IP of the old instance. */
export function holderIn({ floatingIps, instances }: SimulatorState): string | undefined {
  const port = floatingIps.find(({ id }) => id === floatingIpOf(1))?.portId;
  return instances.find(({ ports }) => ports.some(({ portId }) => portId === port))?.id;
}

/** Remembers the most new instances that there were at once, and whether the address was ever without an instance. */
export function watchReplacement() {
  const seen = { mostNew: 0, wasWithout: false };
  return {
    seen,
    see: (state: SimulatorState): void => {
      const made = state.instances.filter(({ name }) => name === 'web-new').length;
      seen.mostNew = Math.max(seen.mostNew, made);
      seen.wasWithout ||= holderIn(state) === undefined;
    },
  };
}
