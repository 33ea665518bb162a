import { MARKER_TAG } from '../../../src/contract/names.js';
import type { StatusDocument } from '../../../src/contract/status-document.js';
import type { Inventory, SimulatorState } from '../../../src/simulator/index.js';

/** The most instances that carry one marker now. */
export function mostWithOneMarker({ instances }: SimulatorState): number {
  const counts = new Map<string, number>();
  for (const { tags } of instances) {
    const marker = tags[MARKER_TAG];
    if (marker !== undefined) counts.set(marker, (counts.get(marker) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
}

/** The most DDoS profiles that one address has now. */
export function mostWithOneAddress({ ddosProfiles }: SimulatorState): number {
  const counts = new Map<string, number>();
  for (const { address } of ddosProfiles) counts.set(address, (counts.get(address) ?? 0) + 1);
  return Math.max(0, ...counts.values());
}

/** Keeps the most instances that ever carried one marker, or profiles one address, at the same time. */
export function mostPerMarker() {
  let most = 0;
  return {
    /** For `onChange` of a simulator: looks after each mutation. */
    see: (state: SimulatorState): void => {
      most = Math.max(most, mostWithOneMarker(state), mostWithOneAddress(state));
    },
    most: (): number => most,
  };
}

/** Ids that a run's ledger names, and ids of what really exists of it. */
export function existingOf(
  { steps }: Pick<StatusDocument, 'steps'>,
  { workflowId, inventory }: { workflowId: string; inventory: Inventory },
): { ledger: string[]; existing: string[] } {
  const marker = `default/${workflowId}`;
  const taskIds = steps.flatMap((step) => step.taskIds);
  const isMarked = ({ tags }: { tags: readonly { key: string; value: string }[] }): boolean =>
    tags.some(({ key, value }) => key === MARKER_TAG && value === marker);
  const existing = [
    ...inventory.instances.filter(isMarked),
    ...inventory.volumes.filter(isMarked),
    // Floating IPs carry no tags: their tasks tell whose they are.
    ...inventory.floatingIps.filter((item) => taskIds.includes(item.creator_task_id ?? '')),
  ];
  return {
    ledger: steps.flatMap((step) => step.resources.map(({ id }) => id)).sort(),
    existing: existing.map(({ id }) => id).sort(),
  };
}
