import { z } from 'zod';

import { conflictError } from '../http/cloud-error.js';
import { parseRequest } from '../http/request-body.js';
import { subnetsOf } from '../http/find-network.js';
import { refuseStock } from '../http/stocked.js';
import { newTagsShape, patchTags, tagsPatchSchema } from '../http/tags.js';
import type { NetworkEntity } from '../state/rows.js';
import { changeOf, newRow, removalOf, startChange, startCreation } from '../state/start-change.js';
import { type Mutation, newId } from '../state/start-task.js';
import type { World } from '../state/world.js';
import { refuseLocked } from './refuse-locked.js';
import { hasChanges } from './has-changes.js';
import { portsOf } from './network-use.js';

const nameSchema = z.string().min(1).max(255);

const createBodySchema = z.strictObject({
  name: nameSchema,
  create_router: z.boolean().default(true),
  type: z.enum(['vlan', 'vxlan']).default('vxlan'),
  ...newTagsShape,
});

const patchBodySchema = z.strictObject({
  name: nameSchema.optional(),
  tags: tagsPatchSchema.optional(),
});

interface Patch {
  json: unknown;
  mutation: Mutation;
}

export function createNetwork(world: World, json: unknown, mutation: Mutation): string {
  const body = parseRequest(world, createBodySchema, json);
  const row: NetworkEntity = {
    ...newRow(world, mutation),
    name: body.name,
    type: body.type,
    tags: { ...body.metadata, ...body.tags },
    segmentationId: world.nextNumber(),
    external: false,
    shared: false,
    routerId: body.create_router ? newId() : null,
    updatedAt: world.now(),
  };
  const routers = row.routerId === null ? [] : [row.routerId];
  return startCreation(world, mutation, {
    kind: 'create_network',
    rows: 'networks',
    row,
    data: { ...body },
    created: { networks: [row.id], routers },
  });
}

/** Without a change there is no task. */
export function patchNetwork(
  world: World,
  network: Readonly<NetworkEntity>,
  { json, mutation }: Patch,
): string[] {
  const body = parseRequest(world, patchBodySchema, json);
  refuseStock('networks', network);
  refuseLocked('Network', network);
  const { name = network.name } = body;
  const change = { name, tags: patchTags(network.tags, body.tags) };
  if (!hasChanges(network, change)) return [];
  const { id } = network;
  const started = startChange(world, mutation, {
    kind: 'update_network',
    data: { network_id: id, ...body },
    locked: [{ rows: 'networks', id }],
    done: [changeOf('networks', id, { ...change, updatedAt: world.now() })],
  });
  return [started];
}

const renameBodySchema = z.strictObject({ name: nameSchema });

/** The older patch renames a network immediately. */
export function renameNetwork(world: World, network: Readonly<NetworkEntity>, json: unknown): void {
  const { name } = parseRequest(world, renameBodySchema, json);
  refuseStock('networks', network);
  refuseLocked('Network', network);
  world.networks.update(network.id, { name, updatedAt: world.now() });
}

/** Subnets without ports go with their network. */
export function deleteNetwork(
  world: World,
  network: Readonly<NetworkEntity>,
  mutation: Mutation,
): string {
  const { id } = network;
  refuseStock('networks', network);
  refuseLocked('Network', network);
  if (portsOf(world, network).length > 0) {
    throw conflictError(`Network ${id} has ports of instances`);
  }
  const subnets = subnetsOf(world, network);
  for (const subnet of subnets) refuseLocked('Subnet', subnet);
  const refs = subnets.map((subnet) => ({ rows: 'subnets' as const, id: subnet.id }));
  return startChange(world, mutation, {
    kind: 'delete_network',
    data: { network_id: id },
    locked: [{ rows: 'networks', id }, ...refs],
    done: [removalOf('networks', id), ...refs.map((ref) => removalOf(ref.rows, ref.id))],
  });
}
