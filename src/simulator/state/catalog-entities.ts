/** Rows of projects, and of what instances are built on: networks, images, groups. */
import { z } from 'zod';

import { numericIdSchema } from './account-entities.js';
import { lockableShape } from './row-shapes.js';

/** A deleted project keeps its row: lists show it on demand. */
export const projectEntitySchema = z.object({
  id: numericIdSchema,
  name: z.string(),
  description: z.string().nullable(),
  isDefault: z.boolean(),
  state: z.enum(['ACTIVE', 'DELETING', 'DELETED']),
  createdAt: z.number(),
  deletedAt: z.number().nullable(),
  taskId: z.string().nullable(),
});

export const networkEntitySchema = z.object({
  ...lockableShape,
  name: z.string(),
  type: z.enum(['vlan', 'vxlan']),
  segmentationId: z.number().int(),
  external: z.boolean(),
  /** Of another project. */
  shared: z.boolean(),
  /** The router that was made with the network. */
  routerId: z.string().nullable(),
  updatedAt: z.number(),
});

export const subnetEntitySchema = z.object({
  ...lockableShape,
  networkId: z.string(),
  name: z.string(),
  cidr: z.string(),
  ipVersion: z.literal([4, 6]),
  enableDhcp: z.boolean(),
  gatewayIp: z.string().nullable(),
  dnsNameservers: z.array(z.string()),
  hostRoutes: z.array(z.object({ destination: z.string(), nexthop: z.string() })),
  updatedAt: z.number(),
});

export const imageEntitySchema = z.object({
  ...lockableShape,
  name: z.string(),
  /** Its task ends before it can be used. */
  activeAt: z.number(),
  visibility: z.enum(['private', 'public', 'shared']),
  architecture: z.enum(['aarch64', 'x86_64']),
  diskFormat: z.enum(['qcow2', 'raw']),
  /** In GiB. */
  minDisk: z.number().int(),
  /** In MiB. */
  minRam: z.number().int(),
  /** In octets. */
  size: z.number().int(),
  osType: z.enum(['linux', 'windows']),
  osDistro: z.string(),
  osVersion: z.string(),
  firmwareType: z.enum(['bios', 'uefi']).nullable(),
  machineType: z.enum(['i440', 'q35']).nullable(),
  isBaremetal: z.boolean(),
  sshKey: z.enum(['allow', 'deny', 'required']).nullable(),
  updatedAt: z.number(),
});

const securityGroupRuleSchema = z.object({
  id: z.string(),
  direction: z.enum(['egress', 'ingress']),
  ethertype: z.enum(['IPv4', 'IPv6']),
  /** `null` is every protocol. */
  protocol: z.string().nullable(),
  portRangeMin: z.number().int().nullable(),
  portRangeMax: z.number().int().nullable(),
  remoteGroupId: z.string().nullable(),
  remoteIpPrefix: z.string().nullable(),
  description: z.string(),
  createdAt: z.number(),
});

export const securityGroupEntitySchema = z.object({
  ...lockableShape,
  name: z.string(),
  description: z.string(),
  rules: z.array(securityGroupRuleSchema),
  revision: z.number().int(),
  updatedAt: z.number(),
});

/** Its members name it: `placementGroupId` of an instance. */
export const placementGroupEntitySchema = z.object({
  ...lockableShape,
  name: z.string(),
  policy: z.enum(['affinity', 'anti-affinity', 'soft-anti-affinity']),
});

export type SecurityGroupRule = z.infer<typeof securityGroupRuleSchema>;
