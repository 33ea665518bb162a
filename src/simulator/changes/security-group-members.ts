import { z } from 'zod';

import { conflictError, notFoundError } from '../http/cloud-error.js';
import { parseRequest } from '../http/request-body.js';
import { isInScope, type Scope } from '../http/scope.js';
import { rowsIn } from '../http/stocked.js';
import type { InstanceEntity, SecurityGroupEntity } from '../state/rows.js';
import { defaultGroupId } from '../state/stock.js';
import type { World } from '../state/world.js';

/** An instance names its groups by their ids. Without any it was made with the default group of its place. */
function isNamedBy(group: Readonly<SecurityGroupEntity>, reference: string): boolean {
  return reference === group.id || (reference === 'default' && group.id === defaultGroupId(group));
}

export function membersOf(world: World, group: Readonly<SecurityGroupEntity>) {
  return world.instances.filter(
    (row) =>
      isInScope(row, group) && row.securityGroups.some((reference) => isNamedBy(group, reference)),
  );
}

/** The names of the groups of an instance. */
export function groupNamesOf(world: World, instance: Readonly<InstanceEntity>): string[] {
  const defaultId = defaultGroupId(instance);
  return instance.securityGroups.map((reference) => {
    const isDefault = reference === 'default' || reference === defaultId;
    const kept = world.securityGroups.get(isDefault ? defaultId : reference);
    return kept?.name ?? (isDefault ? 'default' : reference);
  });
}

const namesSchema = z.array(z.string().min(1)).min(1);

const bodySchema = z
  .strictObject({
    name: z.string().min(1).optional(),
    ports_security_group_names: z
      .array(z.strictObject({ port_id: z.string().nullable(), security_group_names: namesSchema }))
      .optional(),
  })
  .refine((body) => body.name !== undefined || body.ports_security_group_names !== undefined, {
    path: ['name'],
    error: 'is needed, or "ports_security_group_names"',
  });

/** Adds groups to an instance, immediately. The simulator keeps them per instance, not per port. */
export function assignGroups(
  world: World,
  instance: Readonly<InstanceEntity>,
  json: unknown,
): void {
  const groups = groupsOfBody(world, instance, json);
  const { securityGroups: before } = instance;
  const added = groups.filter((group) => !before.some((one) => isNamedBy(group, one)));
  world.instances.update(instance.id, {
    securityGroups: [...before, ...added.map(({ id }) => id)],
  });
}

export function unassignGroups(
  world: World,
  instance: Readonly<InstanceEntity>,
  json: unknown,
): void {
  const groups = groupsOfBody(world, instance, json);
  const { securityGroups: before } = instance;
  for (const group of groups) {
    if (!before.some((reference) => isNamedBy(group, reference))) {
      throw conflictError(`Instance ${instance.id} does not have security group ${group.name}`);
    }
  }
  world.instances.update(instance.id, {
    securityGroups: before.filter((one) => !groups.some((group) => isNamedBy(group, one))),
  });
}

function groupsOfBody(world: World, instance: Readonly<InstanceEntity>, json: unknown) {
  const { name, ports_security_group_names: ports = [] } = parseRequest(world, bodySchema, json);
  for (const { port_id: id } of ports) {
    if (id !== null && !instance.ports.some(({ portId }) => portId === id)) {
      throw notFoundError(`Port ${id} of instance ${instance.id} is not found`);
    }
  }
  const names = ports.flatMap((port) => port.security_group_names);
  return [...new Set(name === undefined ? names : [name, ...names])].map((wanted) =>
    findByName(world, instance, wanted),
  );
}

function findByName(world: World, scope: Scope, wanted: string): Readonly<SecurityGroupEntity> {
  const group = rowsIn(world, 'securityGroups', scope).find(({ name }) => name === wanted);
  if (group === undefined) throw notFoundError(`Security group ${wanted} is not found`);
  return group;
}
