/** The query of the list of instances. */
import { z } from 'zod';

import { timestampSchema } from '../../contract/api/cloud.js';
import { findProfileTemplate } from '../state/catalog.js';
import { findNetwork } from './find-network.js';
import { addressesOf, findProfile } from '../state/relations.js';
import type { InstanceEntity } from '../state/rows.js';
import type { World } from '../state/world.js';
import { flagSchema, hasTags, pageShape, repeatable, tagKeyValueSchema } from './list-query.js';

const timeSchema = timestampSchema.transform((iso) => Date.parse(iso)).optional();

export const instanceQuerySchema = z.strictObject({
  ...pageShape(1000),
  available_floating: flagSchema.default(false),
  'changes-before': timeSchema,
  'changes-since': timeSchema,
  exclude_flavor_prefix: z.string().optional(),
  exclude_secgroup: z.string().optional(),
  flavor_id: z.string().optional(),
  flavor_prefix: z.string().default(''),
  // The simulator has no GPU clusters, bare metal and Kubernetes nodes, so these have no effect.
  include_ai: flagSchema.optional(),
  include_baremetal: flagSchema.optional(),
  include_k8s: flagSchema.optional(),
  ip: z.string().optional(),
  name: z.string().default(''),
  only_isolated: flagSchema.default(false),
  only_with_fixed_external_ip: flagSchema.default(false),
  order_by: z
    .templateLiteral([z.enum(['created', 'name', 'status']), '.', z.enum(['asc', 'desc'])])
    .default('created.desc'),
  profile_name: z.string().optional(),
  protection_status: z.enum(['Active', 'Queued', 'Error']).optional(),
  status: z.string().optional(),
  tag_key_value: tagKeyValueSchema.default({}),
  tag_value: repeatable(z.string()).default([]),
  type_ddos_profile: z.enum(['basic', 'advanced']).optional(),
  uuid: z.string().default(''),
  with_ddos: flagSchema.default(false),
  with_interfaces_name: flagSchema.default(false),
});
type InstanceQuery = z.infer<typeof instanceQuerySchema>;
type Instance = Readonly<InstanceEntity>;

export function isWanted(world: World, row: Instance, query: InstanceQuery): boolean {
  return (
    // The quickest to say no, where there are thousands.
    hasTags(row.tags, query.tag_key_value) &&
    row.name.includes(query.name) &&
    row.id.includes(query.uuid) &&
    (query.status === undefined || row.status === query.status) &&
    query.tag_value.every((value) => Object.values(row.tags).includes(value)) &&
    hasWantedFlavor(row, query) &&
    isChangedWithin(row, query) &&
    hasWantedNetwork(world, row, query) &&
    // Nothing isolates an instance here.
    !query.only_isolated &&
    (!query.with_ddos || hasWantedProfile(world, row, query))
  );
}

function hasWantedFlavor({ flavorId }: Instance, query: InstanceQuery): boolean {
  const { flavor_id: wanted, flavor_prefix: prefix, exclude_flavor_prefix: unwanted } = query;
  return (
    (wanted === undefined || wanted === flavorId) &&
    flavorId.startsWith(prefix) &&
    (unwanted === undefined || !flavorId.startsWith(unwanted))
  );
}

function isChangedWithin({ createdAt, updatedAt = createdAt }: Instance, query: InstanceQuery) {
  const { 'changes-since': since = -Infinity, 'changes-before': before = Infinity } = query;
  return since <= updatedAt && updatedAt <= before;
}

function hasWantedNetwork(world: World, row: Instance, query: InstanceQuery): boolean {
  const { ip, exclude_secgroup: group } = query;
  const isExternal = row.ports.map(
    ({ networkId }) => findNetwork(world, row, networkId)?.external ?? false,
  );
  return (
    (ip === undefined || addressesOf(world, row).some((address) => address.includes(ip))) &&
    (group === undefined || !row.securityGroups.includes(group)) &&
    (!query.available_floating || isExternal.includes(false)) &&
    (!query.only_with_fixed_external_ip || isExternal.includes(true))
  );
}

/** These have an effect only together with `with_ddos`. */
function hasWantedProfile(world: World, row: Instance, query: InstanceQuery): boolean {
  const { type_ddos_profile: type, profile_name: name, protection_status: status } = query;
  const profile = findProfile(world, row);
  const template = profile && findProfileTemplate(profile.templateId);
  return (
    (type === undefined || (type === 'advanced') === (profile !== undefined)) &&
    (name === undefined || template?.name === name) &&
    (status === undefined || profile?.status.status === status)
  );
}
