/** Scopes: the project and the region in the path of a request, and the rows that belong to them. */
import { findRegion } from '../state/catalog.js';
import type { Collection } from '../state/collection.js';
import { notFoundError } from './cloud-error.js';

export interface Scope {
  projectId: number;
  regionId: number;
}

interface ScopeParams {
  project: string;
  region: string;
}

export function toScope({ project, region }: ScopeParams): Scope {
  return { projectId: toProject(project), regionId: toRegion(region) };
}

/** `refuseProjects` has checked that the project exists. */
export function toProject(text: string): number {
  return Number(text);
}

export function toRegion(text: string): number {
  const regionId = Number(text);
  if (findRegion(regionId) === undefined) throw notFoundError(`Region ${text} is not found`);
  return regionId;
}

/** Finds a row of the account. */
export function findById<T extends { id: string }>(
  collection: Collection<T>,
  wanted: { kind: string; id: string },
): Readonly<T> {
  const row = collection.get(wanted.id);
  if (row === undefined) throw notFoundError(`${wanted.kind} ${wanted.id} is not found`);
  return row;
}

/** Finds a row of this scope. A row of another project or region is not found. */
export function findInScope<T extends Scope & { id: string }>(
  collection: Collection<T>,
  scope: Scope,
  wanted: { kind: string; id: string },
): Readonly<T> {
  const row = findById(collection, wanted);
  if (!isInScope(row, scope)) throw notFoundError(`${wanted.kind} ${wanted.id} is not found`);
  return row;
}

/** Finds the row that the path of a request names. */
export function findByPath<T extends Scope & { id: string }>(
  collection: Collection<T>,
  kind: string,
  params: ScopeParams & { id: string },
): Readonly<T> {
  return findInScope(collection, toScope(params), { kind, id: params.id });
}

/** The rows that lists show now, newest first. */
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
