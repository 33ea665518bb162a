import { z } from 'zod';

import { TaskType } from '../../contract/wire/tasks.js';
import { parseRequest } from '../http/request-body.js';
import type { ProfileFields } from '../state/ddos-entities.js';
import type { DdosProfileEntity } from '../state/rows.js';
import { listedAt, type Mutation, newId, startTask } from '../state/start-task.js';
import type { TaskPlan } from '../state/task-entities.js';
import type { World } from '../state/world.js';
import { parseProfileBody, refuseMissing } from './parse-profile-body.js';

const actionSchema = z.strictObject({ active: z.boolean(), bgp: z.boolean() });

const QUEUED = { status: 'Queued', error_description: '' };

/**
 * Creates a profile, and the task that gives it the options of a new one. A second profile for the same address is
 * allowed: no document says that the API refuses it.
 */
export function createProfile(world: World, json: unknown, mutation: Mutation): string {
  const body = parseProfileBody(world, json);
  const fields = toFields(world, body.fields ?? []);
  refuseMissing(body.templateId, fields);
  const { projectId, regionId } = mutation;
  const row: DdosProfileEntity = {
    id: String(world.nextNumber()),
    projectId,
    regionId,
    createdAt: world.now(),
    listedAt: listedAt(world, mutation),
    address: body.ip_address,
    managedBy: 'user',
    templateId: body.templateId,
    fields,
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
  const { templateId, ...body } = parseProfileBody(world, json);
  const isKept = world.patchWithoutFields === 'keep' && templateId === profile.templateId;
  const fields = toFields(world, body.fields ?? (isKept ? profile.fields : []));
  // No document says what a PATCH without fields does to required ones.
  if (body.fields !== undefined) refuseMissing(templateId, fields);
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

function toFields({ sortsLists }: Pick<World, 'sortsLists'>, fields: ProfileFields): ProfileFields {
  if (!sortsLists) return fields;
  return fields.map((field) => ({ ...field, field_value: sorted(field.field_value) }));
}

function sorted(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
  return value.toSorted(byText);
}
