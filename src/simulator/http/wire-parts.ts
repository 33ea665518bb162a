/** Parts that the wire forms of many resources share. */
import { findRegion } from '../state/catalog.js';
import type { Scope } from './scope.js';

interface Owned extends Scope {
  id: string;
  createdAt: number;
  creatorTaskId: string | null;
  taskId: string | null;
}

export function formatOwner(row: Readonly<Owned>) {
  return {
    id: row.id,
    created_at: toUtc(row.createdAt),
    creator_task_id: row.creatorTaskId,
    task_id: row.taskId,
    ...formatPlace(row),
  };
}

function formatPlace({ projectId, regionId }: Readonly<Scope>) {
  return {
    project_id: projectId,
    region_id: regionId,
    region: findRegion(regionId)?.display_name ?? '',
  };
}

/** Tags are a map in the request but a list in the answer. */
export function formatTags(tags: Record<string, string>) {
  return Object.entries(tags).map(([key, value]) => ({ key, value, read_only: false }));
}

export function formatUpdated(row: { createdAt: number; updatedAt?: number | undefined }): string {
  return toUtc(row.updatedAt ?? row.createdAt);
}

/** Whole seconds without a zone, such as `2026-05-23T05:07:31`. */
export function toZoneless(time: number): string {
  return new Date(time).toISOString().slice(0, 19);
}

/** Such as `2026-05-23T05:07:31Z`. */
export function toUtc(time: number): string {
  return `${toZoneless(time)}Z`;
}
