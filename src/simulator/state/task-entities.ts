import { z } from 'zod';

import {
  CREATE_INSTANCE_TASKS,
  INSTANCE_ACTION_TASKS,
  TaskType,
  type CreateInstanceTask,
} from '../../contract/wire/tasks.js';
import { CHANGE_TASKS } from './change-tasks.js';
import { cloudRowKindSchema, instanceViewSchema } from './cloud-entities.js';
import { profileFieldsSchema } from './ddos-entities.js';
import { scopedShape } from './row-shapes.js';

/** Those of the product, and what it does not use. */
export const ACTION_TASKS = [...INSTANCE_ACTION_TASKS, 'suspend_vm', 'resume_vm'] as const;
export type ActionTask = (typeof ACTION_TASKS)[number];

const changeTaskSchema = z.enum(CHANGE_TASKS);

const rowRefSchema = z.object({ rows: cloudRowKindSchema, id: z.string() });

/** A change of a row, or its removal. */
const rowChangeSchema = rowRefSchema.extend({
  change: z.record(z.string(), z.unknown()).nullable(),
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
    reservedIpIds: z.array(z.string()).default([]),
  }),
  z.object({
    kind: z.literal(TaskType.deleteVm),
    instanceId: z.string(),
    volumeIds: z.array(z.string()),
    floatingIpIds: z.array(z.string()),
    reservedIpIds: z.array(z.string()).default([]),
  }),
  z.object({
    kind: z.enum(ACTION_TASKS),
    instanceId: z.string(),
    before: instanceViewSchema,
    after: instanceViewSchema,
    /** For this time after its end, a GET still shows the state before. */
    lagMs: z.number(),
    /** Whether it also activates the DDoS profile of the instance. */
    activatesProfile: z.boolean().default(false),
  }),
  z.object({
    kind: changeTaskSchema,
    /** The rows that the task has locked. */
    locked: z.array(rowRefSchema),
    done: z.array(rowChangeSchema),
    failed: z.array(rowChangeSchema),
    /** What `created_resources` shows, by its name there. */
    created: z.record(z.string(), z.array(z.string())),
  }),
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

export const taskEntitySchema = z.object({
  ...scopedShape,
  /** The deletion of a project has none. */
  regionId: z.number().int().nullable(),
  startsAt: z.number(),
  endsAt: z.number(),
  settled: z.boolean(),
  acknowledgedAt: z.number().nullish(),
  requestId: z.string(),
  data: z.record(z.string(), z.unknown()),
  plan: taskPlanSchema,
  failure: taskFailureSchema.nullable(),
});

export type TaskPlan = z.infer<typeof taskPlanSchema>;
export type CreatePlan = Extract<TaskPlan, { kind: CreateInstanceTask }>;
export type InstanceAction = Extract<TaskPlan, { before: unknown; instanceId: string }>;
export type ChangePlan = Extract<TaskPlan, { done: unknown }>;
export type RowRef = z.infer<typeof rowRefSchema>;
export type RowChange = z.infer<typeof rowChangeSchema>;
export type TaskFailure = z.infer<typeof taskFailureSchema>;
