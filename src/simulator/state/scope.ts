import { PROJECTS, REGIONS } from './catalog.js';
import { notFoundError } from '../http/cloud-error.js';
import type { Collection } from './collection.js';

/** Project and region of a path. */
export interface Scope {
  projectId: number;
  regionId: number;
}

export function toScope(params: { project: string; region: string }): Scope {
  const projectId = Number(params.project);
  const hasProject = PROJECTS.some((project) => project.id === projectId);
  if (!hasProject) throw notFoundError(`Project ${params.project} is not found`);
  return { projectId, regionId: toRegion(params.region) };
}

export function toRegion(text: string): number {
  const regionId = Number(text);
  const hasRegion = REGIONS.some((region) => region.id === regionId);
  if (!hasRegion) throw notFoundError(`Region ${text} is not found`);
  return regionId;
}

/** What exists in another project or region is not found in this one. */
export function findInScope<T extends Scope & { id: string }>(
  collection: Collection<T>,
  scope: Scope,
  wanted: { kind: string; id: string },
): Readonly<T> {
  const row = collection.get(wanted.id);
  if (row === undefined || !isInScope(row, scope)) {
    throw notFoundError(`${wanted.kind} ${wanted.id} is not found`);
  }
  return row;
}

/** The rows that lists show now, the newest first. */
export function listInScope<T extends Scope & { id: string; listedAt: number }>(
  collection: Collection<T>,
  scope: Scope,
  now: number,
): Readonly<T>[] {
  return collection.filter((row) => row.listedAt <= now && isInScope(row, scope)).reverse();
}

export function isInScope(row: Scope, scope: Scope): boolean {
  return row.projectId === scope.projectId && row.regionId === scope.regionId;
}
