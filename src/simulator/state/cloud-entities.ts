/** Rows of one project and region. */
import { z } from 'zod';

/** Every row of a project and region has these fields. Times are milliseconds since the epoch. */
export const scopedShape = {
  id: z.string(),
  projectId: z.number().int(),
  regionId: z.number().int(),
  createdAt: z.number(),
  /** Lists show the row from this time on. A GET by id shows it immediately. */
  listedAt: z.number(),
};

const lockableShape = {
  ...scopedShape,
  creatorTaskId: z.string().nullable(),
  /** The task that holds the lock. */
  taskId: z.string().nullable(),
  tags: z.record(z.string(), z.string()),
};

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
  instances: instanceEntitySchema,
  volumes: volumeEntitySchema,
  floatingIps: floatingIpEntitySchema,
};
export const cloudRowKindSchema = z.object(cloudRows).keyof();
export type CloudRowKind = keyof typeof cloudRows;

export type Port = z.infer<typeof portSchema>;
