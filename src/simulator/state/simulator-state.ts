import { z } from 'zod';

import { formatFaults, parseInput } from '../../engine/schema/parse-input.js';
import {
  CREATE_INSTANCE_TASKS,
  INSTANCE_ACTION_TASKS,
  TaskType,
  type CreateInstanceTask,
} from '../../contract/wire/tasks.js';
import {
  cloudSshKeyEntitySchema,
  kvEntryEntitySchema,
  kvStoreEntitySchema,
  numericIdSchema,
  sftpStorageEntitySchema,
  sshKeyEntitySchema,
  videoEntitySchema,
} from './account-entities.js';

export type {
  CloudSshKeyEntity,
  KvEntryEntity,
  KvStoreEntity,
  SftpStorageEntity,
  SshKeyEntity,
  VideoEntity,
} from './account-entities.js';

/** Every row of a project and region has these fields. Times are milliseconds since the epoch. */
const scopedShape = {
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
const instanceViewSchema = z.object({
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

const profileFieldsSchema = z.array(
  z.object({ base_field: z.number().int(), field_value: z.unknown() }),
);

const profileViewSchema = z.object({
  templateId: z.number().int(),
  fields: profileFieldsSchema,
  active: z.boolean(),
  bgp: z.boolean(),
  status: z.object({ status: z.string(), error_description: z.string() }),
});

/** A DDoS profile. It has no lock. */
const ddosProfileEntitySchema = z.object({
  ...scopedShape,
  ...profileViewSchema.shape,
  id: numericIdSchema,
  address: z.string(),
  managedBy: z.enum(['system', 'user']),
  /** The old state that lagging lists still show after a change. */
  stale: z.object({ until: z.number(), view: profileViewSchema }).nullable(),
});

/** The effect of a task when it ends. The kind is the API's `task_type`. */
const taskPlanSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum(CREATE_INSTANCE_TASKS),
    instanceId: z.string(),
    volumeIds: z.array(z.string()),
    floatingIpIds: z.array(z.string()),
    existingVolumeIds: z.array(z.string()),
    existingFloatingIpIds: z.array(z.string()),
  }),
  z.object({
    kind: z.literal(TaskType.deleteVm),
    instanceId: z.string(),
    volumeIds: z.array(z.string()),
    floatingIpIds: z.array(z.string()),
  }),
  z.object({
    kind: z.enum(INSTANCE_ACTION_TASKS),
    instanceId: z.string(),
    before: instanceViewSchema,
    after: instanceViewSchema,
    /** For this time after its end, a GET still shows the state before. */
    lagMs: z.number(),
  }),
  z.object({ kind: z.literal(TaskType.deleteVolume), volumeId: z.string() }),
  z.object({ kind: z.literal(TaskType.deleteFloatingIp), floatingIpId: z.string() }),
  z.object({
    kind: z.literal(TaskType.createProfile),
    profileId: z.string(),
    listLagMs: z.number(),
  }),
  z.object({
    kind: z.literal(TaskType.updateProfile),
    profileId: z.string(),
    templateId: z.number().int(),
    fields: profileFieldsSchema,
    listLagMs: z.number(),
  }),
  z.object({
    kind: z.enum([TaskType.activateProfile, TaskType.deactivateProfile]),
    profileId: z.string(),
    active: z.boolean(),
    bgp: z.boolean(),
    listLagMs: z.number(),
  }),
  z.object({ kind: z.literal(TaskType.deleteProfile), profileId: z.string() }),
]);

const taskFailureSchema = z.object({
  error: z.string(),
  leftovers: z.enum(['none', 'volume', 'instance', 'apart', 'profile']),
});

const taskEntitySchema = z.object({
  ...scopedShape,
  startsAt: z.number(),
  endsAt: z.number(),
  settled: z.boolean(),
  requestId: z.string(),
  data: z.record(z.string(), z.unknown()),
  plan: taskPlanSchema,
  failure: taskFailureSchema.nullable(),
});

const simulatorStateSchema = z.object({
  version: z.literal(1),
  /** Durations, ids and addresses follow from it, so a restored simulator continues where it stopped. */
  sequence: z.number().int(),
  instances: z.array(instanceEntitySchema),
  volumes: z.array(volumeEntitySchema),
  floatingIps: z.array(floatingIpEntitySchema),
  tasks: z.array(taskEntitySchema),
  sshKeys: z.array(sshKeyEntitySchema),
  sftpStorages: z.array(sftpStorageEntitySchema),
  cloudSshKeys: z.array(cloudSshKeyEntitySchema),
  ddosProfiles: z.array(ddosProfileEntitySchema),
  videos: z.array(videoEntitySchema),
  kvStores: z.array(kvStoreEntitySchema),
  kvEntries: z.array(kvEntryEntitySchema),
  /** Limits by quota, such as `{ vm_count: 10 }`; other quotas have no limit. Only `check_limits` reads them. */
  quotas: z.record(z.string(), z.number()).default({}),
  /** Ids of flavors that `available_flavors` does not offer. */
  soldOutFlavors: z.array(z.string()).default([]),
});

/**
 * Everything that exists in the simulated cloud, ready for JSON, without the request log and the
 * faults. Tasks echo the requests of callers with their passwords.
 */
export type SimulatorState = z.infer<typeof simulatorStateSchema>;
export type Port = z.infer<typeof portSchema>;
export type InstanceEntity = z.infer<typeof instanceEntitySchema>;
export type InstanceAction = Extract<TaskPlan, { before: unknown; instanceId: string }>;
export type VolumeEntity = z.infer<typeof volumeEntitySchema>;
export type FloatingIpEntity = z.infer<typeof floatingIpEntitySchema>;
export type TaskPlan = z.infer<typeof taskPlanSchema>;
export type CreatePlan = Extract<TaskPlan, { kind: CreateInstanceTask }>;
export type TaskFailure = z.infer<typeof taskFailureSchema>;
export type TaskEntity = z.infer<typeof taskEntitySchema>;
export type DdosProfileEntity = z.infer<typeof ddosProfileEntitySchema>;
export type ProfileView = z.infer<typeof profileViewSchema>;

export function emptyState(): SimulatorState {
  return {
    version: 1,
    sequence: 0,
    instances: [],
    volumes: [],
    floatingIps: [],
    tasks: [],
    sshKeys: [],
    sftpStorages: [],
    cloudSshKeys: [],
    ddosProfiles: [],
    videos: [],
    kvStores: [],
    kvEntries: [],
    quotas: {},
    soldOutFlavors: [],
  };
}

/** Parses a snapshot from outside, such as from a file. */
export function parseSimulatorState(input: unknown): SimulatorState {
  const parsed = parseInput(simulatorStateSchema, input, { maxValues: Infinity });
  if (parsed.ok) return parsed.value;
  throw new TypeError(`This is not a state of a simulator:\n${formatFaults(parsed.faults)}`);
}
