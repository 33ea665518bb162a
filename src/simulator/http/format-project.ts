import { CLIENT_ID } from '../state/catalog.js';
import type { ProjectEntity } from '../state/rows.js';
import { toUtc } from './wire-parts.js';

export function formatProject(project: Readonly<ProjectEntity>) {
  return {
    id: Number(project.id),
    client_id: CLIENT_ID,
    name: project.name,
    description: project.description,
    is_default: project.isDefault,
    state: project.state,
    created_at: toUtc(project.createdAt),
    deleted_at: project.deletedAt === null ? null : toUtc(project.deletedAt),
    task_id: project.taskId,
  };
}
