import { findRegion } from '../state/catalog.js';
import type { SecurityGroupRule } from '../state/catalog-entities.js';
import type { SecurityGroupEntity } from '../state/rows.js';
import { formatTags, toUtc } from './wire-parts.js';

export type SecurityGroupObject = ReturnType<typeof formatSecurityGroup>;

/** Unlike others, a group does not show what locks it. */
export function formatSecurityGroup(group: Readonly<SecurityGroupEntity>) {
  return {
    id: group.id,
    name: group.name,
    description: group.description,
    project_id: group.projectId,
    region_id: group.regionId,
    region: findRegion(group.regionId)?.display_name ?? '',
    revision_number: group.revision,
    security_group_rules: group.rules.map((rule) => formatRule(group, rule)),
    tags_v2: formatTags(group.tags),
    metadata: formatTags(group.tags),
    created_at: toUtc(group.createdAt),
    updated_at: toUtc(group.updatedAt),
  };
}

/** A rule never changes: replacing it makes another one. */
export function formatRule({ id }: Pick<SecurityGroupEntity, 'id'>, rule: SecurityGroupRule) {
  return {
    id: rule.id,
    security_group_id: id,
    direction: rule.direction,
    ethertype: rule.ethertype,
    protocol: rule.protocol,
    port_range_min: rule.portRangeMin,
    port_range_max: rule.portRangeMax,
    remote_group_id: rule.remoteGroupId,
    remote_ip_prefix: rule.remoteIpPrefix,
    description: rule.description,
    revision_number: 0,
    created_at: toUtc(rule.createdAt),
    updated_at: toUtc(rule.createdAt),
  };
}
