import { conflictError } from '../http/cloud-error.js';
import { type CloudRowKind, cloudRows } from '../state/cloud-entities.js';
import type { ProjectEntity } from '../state/rows.js';
import { changeOf, removalOf, startChange } from '../state/start-change.js';
import type { TaskOrigin } from '../state/start-task.js';
import type { RowChange } from '../state/task-entities.js';
import type { World } from '../state/world.js';

/** Starts the deletion of a project with all that it has in every region. Returns the id of the task. */
export function deleteProject(
  world: World,
  project: Readonly<ProjectEntity>,
  origin: TaskOrigin,
): string {
  const { id, isDefault } = project;
  if (isDefault) throw conflictError(`Project ${id} is the default one and cannot be deleted`);
  // Their rows would be gone when they end. While the project is locked, no other one starts.
  const [running] = world.tasks.filter(
    (task) => task.projectId === origin.projectId && !task.settled,
  );
  if (running) throw conflictError(`Task ${running.id} of project ${id} still runs`);
  world.projects.update(id, { state: 'DELETING' });
  return startChange(world, origin, {
    kind: 'delete_project',
    data: { project_id: Number(id) },
    locked: [{ rows: 'projects', id }],
    done: [
      ...removalsIn(world, origin.projectId),
      changeOf('projects', id, { state: 'DELETED', deletedAt: world.now() }),
    ],
    failed: [changeOf('projects', id, { state: 'ACTIVE' })],
  });
}

function removalsIn(world: World, projectId: number): RowChange[] {
  return KINDS.flatMap((kind) =>
    world[kind]
      .filter((row: object) => 'projectId' in row && row.projectId === projectId)
      .map(({ id }) => removalOf(kind, id)),
  );
}

const KINDS = Object.keys(cloudRows).filter((name): name is CloudRowKind => name in cloudRows);
