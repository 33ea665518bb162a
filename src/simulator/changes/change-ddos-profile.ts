import { z } from 'zod';

import { ddosProfileBodySchema, type DdosProfileBody } from '../../contract/api/ddos.js';
import { TaskType } from '../../contract/wire/tasks.js';
import { findProfileTemplate } from '../state/catalog.js';
import { notFoundError, validationError } from '../http/cloud-error.js';
import { parseRequest } from '../http/request-body.js';
import type { DdosProfileEntity } from '../state/rows.js';
import type { TaskPlan } from '../state/task-entities.js';
import { listedAt, type Mutation, newId, startTask } from '../state/start-task.js';
import type { World } from '../state/world.js';

const actionSchema = z.strictObject({ active: z.boolean(), bgp: z.boolean() });

const QUEUED = { status: 'Queued', error_description: '' };

/**
 * Creates a profile, and the task that gives it the options of a new one. A second profile for the same address is
 * allowed: no document says that the API refuses it.
 */
export function createProfile(world: World, json: unknown, mutation: Mutation): string {
  const body = parseBody(world, json);
  const { projectId, regionId } = mutation;
  const row: DdosProfileEntity = {
    id: String(world.nextNumber()),
    projectId,
    regionId,
    createdAt: world.now(),
    listedAt: listedAt(world, mutation),
    address: body.ip_address,
    managedBy: 'user',
    templateId: body.profile_template,
    fields: toFields(world, body.fields ?? []),
    active: false,
    bgp: false,
    status: QUEUED,
    stale: null,
  };
  world.ddosProfiles.insert(row);
  return startProfileTask(world, mutation, {
    kind: TaskType.createProfile,
    profileId: row.id,
    listLagMs: mutation.effects.listLagMs ?? 0,
  });
}

/** Replaces the whole profile. A setting decides what a PATCH without `fields` does: it is undocumented. */
export function patchProfile(
  world: World,
  profile: Readonly<DdosProfileEntity>,
  { json, mutation }: { json: unknown; mutation: Mutation },
): string {
  const body = parseBody(world, json);
  const kept = world.patchWithoutFields === 'keep' ? profile.fields : [];
  const templateId = body.profile_template;
  const isSameTemplate = templateId === profile.templateId;
  const fields =
    body.fields === undefined ? (isSameTemplate ? kept : []) : toFields(world, body.fields);
  world.ddosProfiles.update(profile.id, { address: body.ip_address, status: QUEUED });
  return startProfileTask(world, mutation, {
    kind: TaskType.updateProfile,
    profileId: profile.id,
    templateId,
    fields,
    listLagMs: mutation.effects.listLagMs ?? 0,
  });
}

export function switchProfile(
  world: World,
  profile: Readonly<DdosProfileEntity>,
  { json, mutation }: { json: unknown; mutation: Mutation },
): string {
  const options = parseRequest(world, actionSchema, json);
  world.ddosProfiles.update(profile.id, { status: QUEUED });
  return startProfileTask(world, mutation, {
    kind: options.active ? TaskType.activateProfile : TaskType.deactivateProfile,
    profileId: profile.id,
    ...options,
    listLagMs: mutation.effects.listLagMs ?? 0,
  });
}

export function deleteProfile(
  world: World,
  profile: Readonly<DdosProfileEntity>,
  mutation: Mutation,
): string {
  world.ddosProfiles.update(profile.id, { status: QUEUED });
  return startProfileTask(world, mutation, { kind: TaskType.deleteProfile, profileId: profile.id });
}

/** The layout of `data` of such a task is undocumented. */
function startProfileTask(world: World, mutation: Mutation, plan: TaskPlan): string {
  return startTask(world, mutation, { id: newId(), data: {}, plan });
}

function parseBody(world: World, json: unknown): DdosProfileBody {
  const body = parseRequest(world, ddosProfileBodySchema, json);
  const { profile_template: templateId, fields = [] } = body;
  const template = findProfileTemplate(templateId);
  if (template === undefined) throw notFoundError(`Profile template ${templateId} is not found`);
  const templateIds = template.fields.map(({ id }) => id);
  const unknown = fields.filter(({ base_field: id }) => !templateIds.includes(id));
  if (unknown.length === 0) return body;
  throw validationError(
    unknown.map(({ base_field: id }) => ({
      path: 'fields',
      message: `${id} is not a field of template ${templateId}`,
    })),
  );
}

function toFields(
  { sortsLists }: Pick<World, 'sortsLists'>,
  fields: NonNullable<DdosProfileBody['fields']>,
): DdosProfileEntity['fields'] {
  return fields.map(({ base_field, field_value: given = null }) => {
    const isSorted = sortsLists && Array.isArray(given);
    const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
    return { base_field, field_value: isSorted ? [...given].sort(byText) : given };
  });
}
