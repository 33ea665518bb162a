import { MARKER_TAG } from '../../../src/contract/wire/names.js';
import { MAKE_TASKS, TaskType, VOLUME_ACTION_TASKS } from '../../../src/contract/wire/tasks.js';
import type { Inventory, SimulatorState } from '../../../src/simulator/index.js';

/** The maximum number of instances that have the same marker now. */
export function mostWithOneMarker({ instances }: SimulatorState): number {
  const counts = new Map<string, number>();
  for (const { tags } of instances) {
    const marker = tags[MARKER_TAG];
    if (marker !== undefined) counts.set(marker, (counts.get(marker) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
}

const MAKING: readonly string[] = Object.values(MAKE_TASKS);

/** The maximum number of things that have the same marker now, of those that a call makes alone. */
export function mostMadeAlone({ snapshots, volumes, tasks }: SimulatorState): number {
  const creators = new Set(tasks.flatMap(({ id, plan }) => (MAKING.includes(plan.kind) ? id : [])));
  const made = [...snapshots, ...volumes].filter(({ creatorTaskId }) =>
    creators.has(creatorTaskId ?? ''),
  );
  const counts = new Map<string, number>();
  for (const { tags } of made) {
    const marker = tags[MARKER_TAG];
    if (marker !== undefined) counts.set(marker, (counts.get(marker) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
}

/** The maximum number of DDoS profiles that one address has now. */
export function mostWithOneAddress({ ddosProfiles }: SimulatorState): number {
  const counts = new Map<string, number>();
  for (const { address } of ddosProfiles) counts.set(address, (counts.get(address) ?? 0) + 1);
  return Math.max(0, ...counts.values());
}

/** The most actions that any instance, volume or floating IP has been through. A failed one has done nothing. */
export function mostActions({ tasks }: Pick<SimulatorState, 'tasks'>): number {
  const counts = new Map<string, number>();
  for (const { plan, failure } of tasks) {
    const subject = failure === null ? subjectOf(plan) : undefined;
    if (subject !== undefined) counts.set(subject, (counts.get(subject) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
}

/** What an action is done to. */
function subjectOf(plan: SimulatorState['tasks'][number]['plan']): string | undefined {
  if ('before' in plan) return plan.instanceId;
  const isOfOne = [...VOLUME_ACTION_TASKS, TaskType.updateFloatingIp].some(
    (kind) => kind === plan.kind,
  );
  return isOfOne && 'locked' in plan ? plan.locked[0]?.id : undefined;
}

/** Records the maximum number of instances per marker, of profiles per address, or of actions of an instance. */
export function mostPerMarker() {
  let most = 0;
  return {
    /** Use it as `onChange` of a simulator. */
    see: (state: SimulatorState): void => {
      most = Math.max(
        most,
        mostWithOneMarker(state),
        mostMadeAlone(state),
        mostWithOneAddress(state),
        mostActions(state),
      );
    },
    most: (): number => most,
  };
}

/** What a status document says about the resources of its run. */
interface Ledger {
  steps: readonly { taskIds: readonly string[]; resources: readonly { id: string }[] }[];
}

/** The ids in the ledger of a run, and the ids of its resources that really exist. */
export function existingOf(
  { steps }: Ledger,
  { workflowId, inventory }: { workflowId: string; inventory: Inventory },
): { ledger: string[]; existing: string[] } {
  const marker = `default/${workflowId}`;
  const taskIds = steps.flatMap((step) => step.taskIds);
  const isMarked = ({ tags }: { tags: readonly { key: string; value: string }[] }): boolean =>
    tags.some(({ key, value }) => key === MARKER_TAG && value === marker);
  const existing = [
    ...inventory.instances.filter(isMarked),
    ...inventory.volumes.filter(isMarked),
    ...inventory.snapshots.filter(isMarked),
    // Floating IPs have no tags. Their tasks show which run created them.
    ...inventory.floatingIps.filter((item) => taskIds.includes(item.creator_task_id ?? '')),
  ];
  return {
    ledger: steps.flatMap((step) => step.resources.map(({ id }) => id)).sort(),
    existing: existing.map(({ id }) => id).sort(),
  };
}
