import type { SecurityGroupRule } from './catalog-entities.js';

/** Everything may go in and out. */
export function defaultRules(now: number, newId: (name: string) => string): SecurityGroupRule[] {
  return (['egress', 'ingress'] as const).flatMap((direction) =>
    (['IPv4', 'IPv6'] as const).map((ethertype) => ({
      id: newId(`${direction} ${ethertype}`),
      direction,
      ethertype,
      protocol: null,
      portRangeMin: null,
      portRangeMax: null,
      remoteGroupId: null,
      remoteIpPrefix: null,
      description: '',
      createdAt: now,
    })),
  );
}

/** Equal for rules that let the same through. */
export function contentOf(rule: SecurityGroupRule): string {
  return JSON.stringify(FIELDS.map((field) => rule[field]));
}

const FIELDS = [
  'direction',
  'ethertype',
  'protocol',
  'portRangeMin',
  'portRangeMax',
  'remoteGroupId',
  'remoteIpPrefix',
  'description',
] as const;
