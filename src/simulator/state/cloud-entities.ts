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

/** One or two addresses: one of each family. */
const addressesSchema = z.array(z.object({ ip: z.string(), subnetId: z.string() }));

const portSchema = z.object({
  portId: z.string(),
  networkId: z.string(),
  interfaceName: z.string().nullable(),
  addresses: addressesSchema,
  portSecurityEnabled: z.boolean(),
});

/** What an action changes of an instance. */
export const instanceViewSchema = z.object({
  status: z.enum([
    'BUILD',
    'ACTIVE',
    'ERROR',
    'SHUTOFF',
    'REBOOT',
    'HARD_REBOOT',
    'RESIZE',
    'SUSPENDED',
  ]),
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
  status: z.enum([
    'creating',
    'available',
    'attaching',
    'in-use',
    'detaching',
    'extending',
    'reverting',
    'deleting',
    'error',
  ]),
  size: z.number(),
  volumeType: z.string(),
  /** Missing: as `isRootVolume`. */
  bootable: z.boolean().optional(),
  isRootVolume: z.boolean(),
  /** The image that it was made from. */
  imageId: z.string().nullish(),
  instanceId: z.string().nullable(),
  device: z.string().nullish(),
  attachedAt: z.number().nullish(),
});

const snapshotEntitySchema = z.object({
  ...lockableShape,
  name: z.string(),
  description: z.string().nullable(),
  status: z.enum(['creating', 'available', 'deleting', 'error']),
  /** The size and the kind of its volume when it was made. */
  size: z.number(),
  volumeType: z.string(),
  bootable: z.boolean(),
  volumeId: z.string(),
});

/** An address that outlives the instances which use it. Its id is that of its port. */
const reservedFixedIpEntitySchema = z.object({
  ...lockableShape,
  networkId: z.string(),
  addresses: addressesSchema,
  isVip: z.boolean(),
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
  snapshots: snapshotEntitySchema,
  reservedFixedIps: reservedFixedIpEntitySchema,
};
export const cloudRowKindSchema = z.object(cloudRows).keyof();
export type CloudRowKind = keyof typeof cloudRows;

export type Port = z.infer<typeof portSchema>;
