import ipaddr from 'ipaddr.js';
import { z } from 'zod';

import { validationError } from '../http/cloud-error.js';
import type { Scope } from '../http/scope.js';
import { rowsIn } from '../http/stocked.js';
import type { SecurityGroupRule } from '../state/catalog-entities.js';
import { newId } from '../state/start-task.js';
import type { World } from '../state/world.js';

const PROTOCOLS = [
  'ah',
  'dccp',
  'egp',
  'esp',
  'gre',
  'icmp',
  'igmp',
  'ipencap',
  'ipip',
  'ipv6-encap',
  'ipv6-frag',
  'ipv6-icmp',
  'ipv6-nonxt',
  'ipv6-opts',
  'ipv6-route',
  'ospf',
  'pgm',
  'rsvp',
  'sctp',
  'tcp',
  'udp',
  'udplite',
  'vrrp',
] as const;

const portSchema = z.number().int().min(0).max(65_535).nullable().default(null);

const ruleShape = {
  direction: z.enum(['egress', 'ingress']),
  description: z.string().default(''),
  ethertype: z.enum(['IPv4', 'IPv6']).default('IPv4'),
  port_range_max: portSchema,
  port_range_min: portSchema,
  protocol: z.enum(PROTOCOLS).nullable().default(null),
  remote_group_id: z.string().nullable().default(null),
  remote_ip_prefix: z.string().nullable().default(null),
};

interface RuleLimits {
  ethertype: 'IPv4' | 'IPv6';
  port_range_max: number | null;
  port_range_min: number | null;
  remote_ip_prefix: string | null;
}

function checkRule({ value, issues }: { value: RuleLimits; issues: z.core.$ZodRawIssue[] }) {
  const { port_range_min: min, port_range_max: max, remote_ip_prefix: prefix } = value;
  const refuse = (field: keyof RuleLimits, message: string): void => {
    issues.push({ code: 'custom', path: [field], message, input: value[field] });
  };
  if ((min === null) !== (max === null)) {
    refuse('port_range_min', 'needs "port_range_max", and the other way round');
  } else if (min !== null && max !== null && min > max) {
    refuse('port_range_min', 'must not be above "port_range_max"');
  }
  const kind = value.ethertype === 'IPv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  if (prefix !== null && !kind.isValidCIDR(prefix)) {
    refuse('remote_ip_prefix', `must be an address range of ${value.ethertype}`);
  }
}

export const ruleSchema = z.strictObject(ruleShape).check(checkRule);

/** Older calls write `any` for every protocol, and may repeat the group. */
export const olderRuleSchema = z
  .strictObject({
    ...ruleShape,
    protocol: z
      .enum([...PROTOCOLS, 'any'])
      .nullable()
      .default(null),
    security_group_id: z.string().optional(),
  })
  .check(checkRule);

type RuleBody = z.infer<typeof olderRuleSchema>;

/** The new rule of a body. Its other group must exist. */
export function toRule(world: World, scope: Scope, body: RuleBody): SecurityGroupRule {
  const remoteGroupId = body.remote_group_id;
  if (remoteGroupId !== null && !hasGroup(world, scope, remoteGroupId)) {
    const message = `There is no security group ${remoteGroupId}`;
    throw validationError([{ path: 'remote_group_id', message }]);
  }
  return {
    id: newId(),
    direction: body.direction,
    ethertype: body.ethertype,
    protocol: body.protocol === 'any' ? null : body.protocol,
    portRangeMin: body.port_range_min,
    portRangeMax: body.port_range_max,
    remoteGroupId,
    remoteIpPrefix: body.remote_ip_prefix,
    description: body.description,
    createdAt: world.now(),
  };
}

function hasGroup(world: World, scope: Scope, wanted: string): boolean {
  return rowsIn(world, 'securityGroups', scope).some(({ id }) => id === wanted);
}
