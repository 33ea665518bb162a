import { z } from 'zod';

import {
  ddosProfileBodySchema,
  type DdosProfileBody,
} from '../../contract/api/ddos-profile-body.js';
import { parseInput } from '../../contract/parse-input.js';
import { findProfileTemplate } from '../state/catalog.js';
import { notFoundError, validationError } from '../http/cloud-error.js';
import { findInScope, type Scope } from '../state/scope.js';
import type { DdosProfileEntity, TaskPlan } from '../state/simulator-state.js';
import { listedAt, type Mutation, newId, startTask } from '../state/start-task.js';
import type { World } from '../state/world.js';

const actionSchema = z.strictObject({ active: z.boolean(), bgp: z.boolean() });

const QUEUED = { status: 'Queued', error_description: '' };

/**
 * The row is there at once, not active, and its task brings it up. A second profile for the same
 * address is made like any other: nothing says that the API refuses one.
 */
export function createProfile(world: World, json: unknown, mutation: Mutation): string {
  const body = parseBody(json);
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
    fields: toFields(body.fields ?? []),
    active: false,
    bgp: false,
    status: QUEUED,
    stale: null,
  };
  world.ddosProfiles.insert(row);
  return begin(world, mutation, { kind: 'create_ddos_profile', profileId: row.id });
}

/** Takes the whole intent; what it does without `fields` is a setting, because it is not documented. */
export function patchProfile(
  world: World,
  profile: Readonly<DdosProfileEntity>,
  { json, mutation }: { json: unknown; mutation: Mutation },
): string {
  const body = parseBody(json);
  const kept = world.patchWithoutFields === 'keep' ? profile.fields : [];
  const templateId = body.profile_template;
  const isSame = templateId === profile.templateId;
  const fields = body.fields === undefined ? (isSame ? kept : []) : toFields(body.fields);
  world.ddosProfiles.update(profile.id, { address: body.ip_address, status: QUEUED });
  return begin(world, mutation, {
    kind: 'update_ddos_profile',
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
  const parsed = parseInput(actionSchema, json);
  if (!parsed.ok) throw validationError(parsed.faults);
  world.ddosProfiles.update(profile.id, { status: QUEUED });
  return begin(world, mutation, {
    kind: parsed.value.active ? 'activate_ddos_profile' : 'deactivate_ddos_profile',
    profileId: profile.id,
    ...parsed.value,
    listLagMs: mutation.effects.listLagMs ?? 0,
  });
}

export function deleteProfile(
  world: World,
  profile: Readonly<DdosProfileEntity>,
  mutation: Mutation,
): string {
  world.ddosProfiles.update(profile.id, { status: QUEUED });
  return begin(world, mutation, { kind: 'delete_ddos_profile', profileId: profile.id });
}

export function findProfile(world: World, scope: Scope, id: string): Readonly<DdosProfileEntity> {
  return findInScope(world.ddosProfiles, scope, { kind: 'DDoS profile', id });
}

/** The layout of `data` of such a task is not documented. */
function begin(world: World, mutation: Mutation, plan: TaskPlan): string {
  return startTask(world, mutation, { id: newId(), data: {}, plan });
}

function parseBody(json: unknown): DdosProfileBody {
  const parsed = parseInput(ddosProfileBodySchema, json);
  if (!parsed.ok) throw validationError(parsed.faults);
  const { profile_template: templateId, fields = [] } = parsed.value;
  const template = findProfileTemplate(templateId);
  if (template === undefined) throw notFoundError(`Profile template ${templateId} is not found`);
  const foreign = fields.filter(({ base_field: id }) => !template.fields.some((f) => f.id === id));
  if (foreign.length === 0) return parsed.value;
  throw validationError(
    foreign.map(({ base_field: id }) => ({
      path: 'fields',
      message: `${id} is no field of template ${templateId}`,
    })),
  );
}

function toFields(fields: NonNullable<DdosProfileBody['fields']>): DdosProfileEntity['fields'] {
  return fields.map(({ base_field, field_value = null }) => ({ base_field, field_value }));
}
