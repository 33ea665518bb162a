import { z } from 'zod';

import { conflictError, notFoundError } from '../http/cloud-error.js';
import { parseRequest } from '../http/request-body.js';
import type { Scope } from '../http/scope.js';
import { refuseStock, rowsIn } from '../http/stocked.js';
import { patchTags, tagsPatchSchema, tagsSchema } from '../http/tags.js';
import type { SecurityGroupRule } from '../state/catalog-entities.js';
import type { SecurityGroupEntity } from '../state/rows.js';
import { contentOf, defaultRules } from '../state/security-group-rules.js';
import { changeOf, newRow, startChange, startCreation } from '../state/start-change.js';
import { type Mutation, newId } from '../state/start-task.js';
import type { ChangePlan } from '../state/task-entities.js';
import type { World } from '../state/world.js';
import { refuseLocked } from './refuse-locked.js';
import { hasChanges } from './has-changes.js';
import { olderRuleSchema, ruleSchema, toRule } from './parse-security-group-rule.js';
import { membersOf } from './security-group-members.js';

const nameSchema = z.string().min(1).max(255);

const createBodySchema = z.strictObject({
  name: nameSchema,
  description: z.string().default(''),
  rules: z.array(ruleSchema).optional(),
  tags: tagsSchema.default({}),
});

const patchBodySchema = z.strictObject({
  name: nameSchema.optional(),
  description: z.string().optional(),
  rules: z.array(ruleSchema).optional(),
  tags: tagsPatchSchema.optional(),
});

export interface GroupRequest {
  json: unknown;
  mutation: Mutation;
}

/** Without `rules` a group lets everything through, with `[]` nothing. */
export function createSecurityGroup(world: World, { json, mutation }: GroupRequest): string {
  const body = parseRequest(world, createBodySchema, json);
  const row = newGroup(world, mutation, {
    ...body,
    rules: body.rules?.map((rule) => toRule(world, mutation, rule)),
  });
  return startCreation(world, mutation, {
    kind: 'create_security_group',
    rows: 'securityGroups',
    row,
    data: { ...body },
    created: { security_groups: [row.id], security_group_rules: row.rules.map(({ id }) => id) },
  });
}

interface NewGroup extends Pick<SecurityGroupEntity, 'name' | 'description' | 'tags'> {
  rules: SecurityGroupRule[] | undefined;
}

function newGroup(world: World, mutation: Mutation, group: NewGroup): SecurityGroupEntity {
  return {
    ...newRow(world, mutation),
    ...group,
    rules: group.rules ?? defaultRules(world.now(), newId),
    revision: 1,
    updatedAt: world.now(),
  };
}

const olderBodySchema = z.strictObject({
  security_group: z.strictObject({
    name: nameSchema,
    description: z.string().default(''),
    security_group_rules: z.array(olderRuleSchema).optional(),
    metadata: tagsSchema.default({}),
  }),
});

/** The older create call makes a group immediately. */
export function insertSecurityGroup(
  world: World,
  { json, mutation }: GroupRequest,
): SecurityGroupEntity {
  const { security_group: group } = parseRequest(world, olderBodySchema, json);
  const row = newGroup(world, mutation, {
    name: group.name,
    description: group.description,
    tags: group.metadata,
    rules: group.security_group_rules?.map((rule) => toRule(world, mutation, rule)),
  });
  world.securityGroups.insert(row);
  return row;
}

/** The rules of the body are all that there will be. Without a change there is no task. */
export function patchSecurityGroup(
  world: World,
  group: Readonly<SecurityGroupEntity>,
  { json, mutation }: GroupRequest,
): string[] {
  const body = parseRequest(world, patchBodySchema, json);
  const change = {
    name: body.name ?? group.name,
    description: body.description ?? group.description,
    tags: patchTags(group.tags, body.tags),
    rules: nextRules(
      group.rules,
      body.rules?.map((rule) => toRule(world, mutation, rule)),
    ),
  };
  if (!hasChanges(group, change)) return [];
  const data = { security_group_id: group.id, ...body };
  return [
    startGroupChange(world, group, { kind: 'update_security_group', change, data, mutation }),
  ];
}

/** The rules that stay keep their ids and their order. */
function nextRules(before: SecurityGroupRule[], wanted = before): SecurityGroupRule[] {
  const existing = new Set(before.map(contentOf));
  const asked = new Set(wanted.map(contentOf));
  return [
    ...before.filter((rule) => asked.has(contentOf(rule))),
    ...wanted.filter((rule) => !existing.has(contentOf(rule))),
  ];
}

interface GroupChange extends Pick<ChangePlan, 'kind'> {
  change: Partial<SecurityGroupEntity>;
  data: Record<string, unknown>;
  created?: Record<string, string[]>;
  mutation: Mutation;
}

/** Starts a task that changes a group when it ends. */
export function startGroupChange(
  world: World,
  group: Readonly<SecurityGroupEntity>,
  { change, mutation, ...task }: GroupChange,
): string {
  const { id } = keep(world, group);
  refuseLocked('Security group', group);
  return startChange(world, mutation, {
    ...task,
    locked: [{ rows: 'securityGroups', id }],
    done: [changeOf('securityGroups', id, { ...change, ...nextRevision(world, group) })],
  });
}

/** Changes a group immediately. */
export function changeGroup(
  world: World,
  group: Readonly<SecurityGroupEntity>,
  change: Partial<SecurityGroupEntity>,
): void {
  refuseLocked('Security group', group);
  keep(world, group);
  world.securityGroups.update(group.id, { ...change, ...nextRevision(world, group) });
}

function nextRevision(world: World, { revision }: Readonly<SecurityGroupEntity>) {
  return { revision: revision + 1, updatedAt: world.now() };
}

/** The default group of a place is in stock until its first change. */
function keep(world: World, group: Readonly<SecurityGroupEntity>): Readonly<SecurityGroupEntity> {
  if (world.securityGroups.get(group.id) === undefined) world.securityGroups.insert(group);
  return group;
}

const copyBodySchema = z.strictObject({ name: nameSchema });

/** A copy is there immediately. */
export function copySecurityGroup(
  world: World,
  group: Readonly<SecurityGroupEntity>,
  { json, mutation }: GroupRequest,
): SecurityGroupEntity {
  const { name } = parseRequest(world, copyBodySchema, json);
  const createdAt = world.now();
  const row: SecurityGroupEntity = {
    ...group,
    ...newRow(world, mutation),
    name,
    rules: group.rules.map((rule) => ({ ...rule, id: newId(), createdAt })),
    revision: 1,
    updatedAt: createdAt,
  };
  world.securityGroups.insert(row);
  return row;
}

export function deleteSecurityGroup(world: World, group: Readonly<SecurityGroupEntity>): void {
  refuseStock('securityGroups', group);
  refuseLocked('Security group', group);
  const [member] = membersOf(world, group);
  if (member) throw conflictError(`Security group ${group.id} is in use by instance ${member.id}`);
  world.securityGroups.delete(group.id);
}

/** Finds the group that has a rule. */
export function groupOfRule(
  world: World,
  scope: Scope,
  ruleId: string,
): Readonly<SecurityGroupEntity> {
  const group = rowsIn(world, 'securityGroups', scope).find(({ rules }) =>
    rules.some(({ id }) => id === ruleId),
  );
  if (group === undefined) throw notFoundError(`Security group rule ${ruleId} is not found`);
  return group;
}
