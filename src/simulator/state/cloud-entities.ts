/** Rows of one project and region. */
import { z } from 'zod';

import { cloudSshKeyEntitySchema } from './account-entities.js';
import {
  imageEntitySchema,
  networkEntitySchema,
  placementGroupEntitySchema,
  projectEntitySchema,
  securityGroupEntitySchema,
  subnetEntitySchema,
} from './catalog-entities.js';
import { ddosProfileEntitySchema } from './ddos-entities.js';
import { lockableShape } from './row-shapes.js';

const portSchema = z.object({
  portId: z.string(),
  network: z.string(),
  addresses: z.array(z.string()),
});

/** What an action changes of an instance. */
export const instanceViewSchema = z.object({
  status: z.enum(['BUILD', 'ACTIVE', 'ERROR', 'SHUTOFF', 'REBOOT', 'HARD_REBOOT', 'RESIZE']),
  flavorId: z.string(),
});

const instanceEntitySchema = z.object({
  ...lockableShape,
  ...instanceViewSchema.shape,
  name: z.string(),
  /** The state before an action, which a lagging GET still shows. */
  stale: instanceViewSchema.extend({ until: z.number() }).nullish(),
  sshKeyName: z.string().nullable(),
  placementGroupId: z.string().nullish(),
  securityGroups: z.array(z.string()),
  ports: z.array(portSchema),
  volumes: z.array(z.object({ id: z.string(), deleteOnTermination: z.boolean() })),
});

const volumeEntitySchema = z.object({
  ...lockableShape,
  name: z.string(),
  status: z.enum(['creating', 'available', 'in-use', 'deleting', 'error']),
  size: z.number(),
  volumeType: z.string(),
  isRootVolume: z.boolean(),
  instanceId: z.string().nullable(),
});

const floatingIpEntitySchema = z.object({
  ...lockableShape,
  address: z.string(),
  portId: z.string().nullable(),
  fixedIpAddress: z.string().nullable(),
  instanceId: z.string().nullable(),
});

/** The rows that tasks make, change and remove, by their collection. */
export const cloudRows = {
  projects: projectEntitySchema,
  networks: networkEntitySchema,
  subnets: subnetEntitySchema,
  images: imageEntitySchema,
  securityGroups: securityGroupEntitySchema,
  placementGroups: placementGroupEntitySchema,
  cloudSshKeys: cloudSshKeyEntitySchema,
  ddosProfiles: ddosProfileEntitySchema,
  instances: instanceEntitySchema,
  volumes: volumeEntitySchema,
  floatingIps: floatingIpEntitySchema,
};
export const cloudRowKindSchema = z.object(cloudRows).keyof();
export type CloudRowKind = keyof typeof cloudRows;

export type Port = z.infer<typeof portSchema>;
