import type { ImageView } from '../../../activities/lookups.js';
import type { Place } from '../../../contract/wire/names.js';
import { secretPlaces, type SecretPlace } from '../../../contract/wire/secret-ref.js';
import type { PreparedChange } from '../../../engine/core/prepared-run.js';
import { plural } from '../../../engine/core/text.js';
import type { Draft, LookResult } from '../../../engine/plan/planning.js';
import type { PlannedCall } from '../../../engine/schema/documents.js';
import type { PlanReads, PlanRun } from '../../gcore.js';

/** Secrets that one plan checks. The call and its answer stand in the history. */
const MAX_CHECKED = 500;

/** Says which secrets of an input the worker would not find. Each is read once and forgotten. */
export async function checkSecrets(
  { reads }: { reads: Pick<PlanReads, 'checkSecrets'> },
  draft: Pick<Draft, 'fault' | 'warn' | 'look'>,
  named: readonly SecretPlace[],
): Promise<void> {
  const distinct = new Map<string, SecretPlace>();
  for (const place of named) {
    const id = JSON.stringify([place.ref.$secret, place.ref.key]);
    if (!distinct.has(id)) distinct.set(id, place);
  }
  const places = [...distinct.values()].slice(0, MAX_CHECKED);
  if (places.length === 0) return;
  const seen = await draft.look('the secrets', () => reads.checkSecrets({ places }));
  if (seen.is === 'there') for (const fault of seen.value) draft.fault(fault);
  const unchecked = distinct.size - places.length;
  if (unchecked === 0) return;
  draft.warn({
    message: `The plan has not checked ${plural(unchecked, 'secret')} more of this input`,
    advice: 'Nothing to do: a run that misses one waits until it exists.',
  });
}

/** In a plan only: a run that lacks a secret waits for it. */
export async function checkPlannedSecrets(
  _seen: unknown,
  asked: PlanRun<PreparedChange>,
  draft: Draft,
): Promise<void> {
  if (asked.prepared.planOnly !== true) return;
  await checkSecrets(asked, draft, secretPlaces(asked.input));
}

/** More calls of one kind become one row. */
const MAX_ROWS = 20;

/** Shows each call of one kind with its purpose; many calls become one row with a common purpose. */
export function collapseCalls(
  rows: readonly PlannedCall[],
  commonPurpose: () => string,
): PlannedCall[] {
  const [first] = rows;
  if (first === undefined || rows.length <= MAX_ROWS) return [...rows];
  return [{ ...first, purpose: commonPurpose(), times: rows.length }];
}

/** Finds out whether the project or the region is missing when a list is not found. */
export async function explainMissingPlace(
  reads: PlanReads,
  draft: Draft,
  { place: { projectId, regionId }, regionPath }: { place: Place; regionPath: string },
): Promise<void> {
  const projects = await draft.look('the projects', () => reads.listProjectIds());
  if (projects.is === 'there' && !projects.value.includes(projectId)) {
    draft.fault({
      path: 'projectId',
      message: `There is no project ${projectId}`,
      advice: `Name one of yours: ${projects.value.join(', ')}.`,
    });
    return;
  }
  const regions = await draft.look('the regions', () => reads.listRegionIds());
  const known = regions.is === 'there' ? regions.value : [];
  const isUnknown = regions.is === 'there' && !known.includes(regionId);
  draft.fault({
    path: regionPath,
    message: isUnknown
      ? `There is no region ${regionId}`
      : `Project ${projectId} finds nothing in region ${regionId}`,
    advice: known.length === 0 ? 'Check the ids.' : `Regions are: ${known.join(', ')}.`,
  });
}

const MAX_NAMES = 5;

/** The names with the longest common beginning, the best first. */
export function nearestNames(wanted: string, names: readonly string[]): string[] {
  return [...names]
    .sort((a, b) => sharedStart(b, wanted) - sharedStart(a, wanted) || (a < b ? -1 : 1))
    .slice(0, MAX_NAMES);
}

function sharedStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

/** What an input names by id. */
interface NamedPart {
  place: Place;
  kind: string;
  id: string;
  /** The field. */
  path: string;
}

export async function lookForPart<T>(
  draft: Pick<Draft, 'look' | 'fault'>,
  { place: { projectId, regionId }, kind, id, path }: NamedPart,
  read: () => Promise<T>,
): Promise<LookResult<T>> {
  const seen = await draft.look(`${kind} ${id}`, read);
  if (seen.is === 'missing') {
    draft.fault({
      path,
      message: `There is no ${kind} ${id} in region ${regionId} of project ${projectId}`,
      advice: `Check the id: each region has its own ${kind}s.`,
    });
  }
  return seen;
}

/** Checks the size of a volume from an image. */
export function checkImageSize(
  draft: Pick<Draft, 'fault' | 'warn'>,
  { image, size, path }: { image: ImageView; size: number | undefined; path: string },
): void {
  const least = image.minDisk === undefined ? '' : ` of at least ${image.minDisk} GiB`;
  if (size === undefined) {
    draft.warn({
      path,
      message: 'is missing: only basic VMs have a default size',
      advice: `Give a size${least}.`,
    });
  } else if (image.minDisk !== undefined && size < image.minDisk) {
    draft.fault({
      path,
      message: `${size} GiB is too small for the image ${image.name}`,
      advice: `Give a size${least}.`,
    });
  }
}
