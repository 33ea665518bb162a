import type { SentInstanceBody } from '../../contract/api/create-instance-body.js';
import type { Port } from '../state/cloud-entities.js';
import { listedAt, type Mutation, newId } from '../state/start-task.js';
import type { World } from '../state/world.js';

/** A create call of an instance: its parsed body, and the ids that its rows share. */
export interface Creation {
  body: SentInstanceBody;
  mutation: Mutation;
  taskId: string;
  instanceId: string;
  name: string;
  ports: Port[];
}

/** Fields that all rows share which a task creates. */
export function commonRow(
  world: World,
  { mutation, taskId }: { mutation: Mutation; taskId: string },
) {
  return {
    id: newId(),
    projectId: mutation.projectId,
    regionId: mutation.regionId,
    createdAt: world.now(),
    listedAt: listedAt(world, mutation),
    creatorTaskId: taskId,
    taskId,
    tags: {},
  };
}
