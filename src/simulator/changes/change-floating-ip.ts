import { z } from 'zod';

import { TaskType } from '../../contract/wire/tasks.js';
import { conflictError } from '../http/cloud-error.js';
import { parseRequest } from '../http/request-body.js';
import type { FloatingIpEntity } from '../state/rows.js';
import { changeOf, newRow, removalOf, startChange, startCreation } from '../state/start-change.js';
import type { Mutation } from '../state/start-task.js';
import type { World } from '../state/world.js';
import { nextFloatingAddress } from './addresses.js';
import { type Attachment, attachmentTo, lockOf, UNATTACHED } from './attach-floating-ip.js';
import { patchTags, tagsPatchSchema, tagsSchema } from '../http/tags.js';
import { hasChanges } from './has-changes.js';
import { refuseLocked } from './refuse-locked.js';

type FloatingIp = Readonly<FloatingIpEntity>;

interface Request {
  json: unknown;
  mutation: Mutation;
}

const createBodySchema = z.strictObject({
  port_id: z.string().nullish(),
  fixed_ip_address: z.string().nullish(),
  tags: tagsSchema.optional(),
});

/** `POST /cloud/v1/floatingips/{project_id}/{region_id}`. Returns the id of its task. */
export function createFloatingIp(world: World, { json, mutation }: Request): string {
  const body = parseRequest(world, createBodySchema, json);
  const { port_id: portId, fixed_ip_address: fixedIp, tags = {} } = body;
  const attachment = portId ? attachmentTo(world, mutation, { portId, fixedIp }) : UNATTACHED;
  const locked = lockOf(world, attachment);
  const address = nextFloatingAddress(world);
  const row = { ...newRow(world, mutation), ...UNATTACHED, address, tags };
  return startCreation(world, mutation, {
    kind: 'create_fip',
    rows: 'floatingIps',
    row,
    data: { ...body, floatingip_id: row.id },
    locked,
    done: [changeOf('floatingIps', row.id, attachment)],
    created: { floatingips: [row.id] },
  });
}

const patchBodySchema = z.strictObject({
  port_id: z.string().nullable().optional(),
  fixed_ip_address: z.string().nullable().optional(),
  tags: tagsPatchSchema.optional(),
});

/** `PATCH /cloud/v2/floatingips/{project_id}/{region_id}/{floating_ip_id}`: no task when nothing would change. */
export function patchFloatingIp(
  world: World,
  floatingIp: FloatingIp,
  { json, mutation }: Request,
): string[] {
  const body = parseRequest(world, patchBodySchema, json);
  refuseLocked('Floating IP', floatingIp);
  const tags = patchTags(floatingIp.tags, body.tags);
  const attachment = nextAttachment(world, floatingIp, body);
  if (!hasChanges(floatingIp, { ...attachment, tags })) return [];
  const isMoved = hasChanges(floatingIp, attachment);
  const started = startChange(world, mutation, {
    kind: 'update_floating_ip',
    data: { ...body, floatingip_id: floatingIp.id },
    locked: [
      { rows: 'floatingIps', id: floatingIp.id },
      ...(isMoved ? lockOf(world, attachment) : []),
    ],
    done: [changeOf('floatingIps', floatingIp.id, { ...attachment, tags })],
  });
  return [started];
}

function nextAttachment(
  world: World,
  floatingIp: FloatingIp,
  { port_id: port, fixed_ip_address: fixedIp }: z.infer<typeof patchBodySchema>,
): Attachment {
  if (port === null) return UNATTACHED;
  const portId = port ?? floatingIp.portId;
  if (portId === null || (port === undefined && !fixedIp)) return attachmentOf(floatingIp);
  return attachmentTo(world, floatingIp, { portId, fixedIp, floatingIpId: floatingIp.id });
}

function attachmentOf({ portId, fixedIpAddress, instanceId }: FloatingIp): Attachment {
  return { portId, fixedIpAddress, instanceId };
}

const assignBodySchema = z.strictObject({
  port_id: z.string(),
  fixed_ip_address: z.string().nullish(),
});

/** `POST …/{floating_ip_id}/assign`, deprecated: at once, without a task. */
export function assignFloatingIp(world: World, floatingIp: FloatingIp, json: unknown): void {
  const body = parseRequest(world, assignBodySchema, json);
  refuseLocked('Floating IP', floatingIp);
  if (floatingIp.portId !== null) {
    throw conflictError(`Floating IP ${floatingIp.id} is assigned to port ${floatingIp.portId}`);
  }
  const wanted = { portId: body.port_id, fixedIp: body.fixed_ip_address };
  const attachment = attachmentTo(world, floatingIp, wanted);
  lockOf(world, attachment);
  world.floatingIps.update(floatingIp.id, { ...attachment, updatedAt: world.now() });
}

/** `POST …/{floating_ip_id}/unassign`, deprecated: at once, without a task. */
export function unassignFloatingIp(world: World, floatingIp: FloatingIp): void {
  refuseLocked('Floating IP', floatingIp);
  if (floatingIp.portId === null) {
    throw conflictError(`Floating IP ${floatingIp.id} is not assigned`);
  }
  world.floatingIps.update(floatingIp.id, { ...UNATTACHED, updatedAt: world.now() });
}

export function deleteFloatingIp(world: World, floatingIp: FloatingIp, mutation: Mutation): string {
  refuseLocked('Floating IP', floatingIp);
  return startChange(world, mutation, {
    kind: TaskType.deleteFloatingIp,
    data: { floatingip_id: floatingIp.id },
    locked: [{ rows: 'floatingIps', id: floatingIp.id }],
    done: [removalOf('floatingIps', floatingIp.id)],
  });
}
