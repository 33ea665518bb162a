import { z } from 'zod';

import { apiIdSchema, apiTextSchema, apiNameSchema, firstIds } from './errors.js';
import { MAKER_TAG, MARKER_TAG } from '../wire/names.js';
import { othersOf } from './other-kinds.js';
import { cutText } from '../../engine/core/text.js';
import type { PlanPrice } from '../../engine/schema/documents.js';

/** Id of a cloud resource. The API documents UUIDs of version 4; this schema accepts any UUID. */
export const resourceIdSchema = z.guid({
  error: ({ input }) => (input === undefined ? 'is missing' : 'must be a UUID'),
});

/**
 * Parses a timestamp of the API to ISO 8601 in UTC. Accepts `2026-05-23T05:07:31`, `…Z` and
 * `2026-05-23 05:07:31+00:00`. Values without a zone, as tasks have them, count as UTC.
 */
export const timestampSchema = z.string().transform((text, context) => {
  const spaced = text.trim().replace(' ', 'T');
  const hasZone = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(spaced);
  const time = new Date(hasZone ? spaced : `${spaced}Z`);
  if (Number.isNaN(time.getTime())) {
    context.addIssue({ code: 'custom', message: 'must be a timestamp' });
    return z.NEVER;
  }
  return time.toISOString();
});

/** A list that the API may omit or send as `null`. */
export function lenientArray<T extends z.ZodType>(element: T) {
  return z
    .array(element)
    .nullish()
    .transform((list): z.output<T>[] => list ?? []);
}

/** The list envelope of the cloud and storage areas: `{count, results}`. */
export function listEnvelope<T extends z.ZodType>(element: T) {
  return z.object({ count: z.number().int(), results: z.array(element) });
}

/** Of a list of anything: whether it has a row. */
export const idListSchema = listEnvelope(z.object({ id: apiIdSchema }));

/** The API documents one or two. */
const MAX_TASKS = 100;

/** Mutations of the cloud area answer with the ids of the tasks they started. The list may be empty. */
export const taskIdsSchema = z.object({ tasks: z.array(apiIdSchema).max(MAX_TASKS) });

const KEY_RULE = 'must be a tag key with 1 to 255 characters, without white space or "="';
const VALUE_RULE =
  'must be a tag value with 1 to 255 characters, without tabs or line breaks, and must not start or end with a space';

/** Tags of a create body: a map. Source: OpenAPI `CreateInstanceSerializerV2.tags`. */
export const tagsBodySchema = z
  .record(
    z.string().regex(/^[^\s=]{1,255}$/, { error: KEY_RULE }),
    z
      .string({ error: 'must be a text' })
      .max(255, { error: VALUE_RULE })
      .regex(/^[^ \t\n\r\f\v]([^\t\n\r\f\v]*[^ \t\n\r\f\v])?$/, { error: VALUE_RULE }),
  )
  .refine(...without(MARKER_TAG))
  .refine(...without(MAKER_TAG));

/** Looks also when other tags are wrong. */
function without(own: string) {
  return [
    (tags: unknown) => !(tags instanceof Object && own in tags),
    {
      error: `must not contain the key "${own}": the worker sets this tag to find its own resources`,
      when: () => true,
    },
  ] as const;
}

/** Tags of an answer: a list, unlike in the create body. The platform's own are read-only. */
export const tagSchema = z.object({
  key: apiTextSchema,
  value: apiTextSchema,
  read_only: z.boolean().optional(),
});

/**
 * The fields of an instance that this product reads. `creator_task_id` links it to the create call;
 * `task_id` names the task that holds its lock.
 * Source: `GET /cloud/v1/instances/{project_id}/{region_id}/{instance_id}`.
 */
export const instanceSchema = z.object({
  id: apiIdSchema,
  name: apiNameSchema,
  status: apiNameSchema,
  flavor: z.object({ flavor_id: apiNameSchema }).partial().nullish(),
  creator_task_id: apiIdSchema.nullish(),
  task_id: apiIdSchema.nullish(),
  addresses: z
    .record(z.string(), z.array(z.object({ addr: apiNameSchema, type: apiNameSchema })))
    .nullish()
    .transform((addresses) => addresses ?? {}),
  volumes: lenientArray(z.object({ id: apiIdSchema, delete_on_termination: z.boolean() })),
  tags: lenientArray(tagSchema),
});
export type Instance = z.infer<typeof instanceSchema>;

export const instanceListSchema = listEnvelope(instanceSchema);

/**
 * The fields of a floating IP that this product reads.
 * Source: `GET /cloud/v1/floatingips/{project_id}/{region_id}`.
 */
export const floatingIpSchema = z.object({
  id: apiIdSchema,
  floating_ip_address: apiNameSchema.nullish(),
  status: apiNameSchema.nullish(),
  port_id: apiIdSchema.nullish(),
  fixed_ip_address: apiNameSchema.nullish(),
  instance: z
    .object({ id: apiIdSchema, created_at: timestampSchema.nullish().catch(undefined) })
    .nullish(),
  created_at: timestampSchema.nullish().catch(undefined),
  creator_task_id: apiIdSchema.nullish(),
  task_id: apiIdSchema.nullish(),
});
export type FloatingIp = z.infer<typeof floatingIpSchema>;

/** `GET /cloud/v1/instances/…/{instance_id}/interfaces` */
export const interfaceListSchema = listEnvelope(
  z.object({
    port_id: apiIdSchema,
    ip_assignments: z.array(z.object({ ip_address: apiNameSchema })),
    network_details: z.object({ external: z.boolean().optional() }).nullish(),
    floatingip_details: z
      .array(z.object({ id: apiIdSchema, fixed_ip_address: apiNameSchema.nullish() }))
      .nullish(),
  }),
);

export const floatingIpListSchema = listEnvelope(floatingIpSchema);

/** `GET /cloud/v1/networks/{project_id}/{region_id}/{network_id}` */
export const networkSchema = z.object({ id: apiIdSchema, name: apiNameSchema });

/** `GET /cloud/v1/subnets/{project_id}/{region_id}/{subnet_id}` */
export const subnetSchema = z.object({
  id: apiIdSchema,
  name: apiNameSchema,
  network_id: apiIdSchema,
});

/**
 * The fields of an image that this product reads. `min_disk` is in GiB, `min_ram` in MiB; `os_type` is
 * `linux` or `windows`. Source: `GET /cloud/v1/images/{project_id}/{region_id}/{image_id}`.
 */
export const imageSchema = z.object({
  id: apiIdSchema,
  name: apiNameSchema,
  os_type: apiNameSchema.nullish(),
  min_disk: z.number().nullish(),
  min_ram: z.number().nullish(),
});

/** `GET /cloud/v1/projects` */
export const projectListSchema = listEnvelope(
  z.object({ id: z.number().int(), name: apiNameSchema }),
);

/** `GET /cloud/v1/regions` */
export const regionListSchema = listEnvelope(
  z.object({ id: z.number().int(), display_name: apiNameSchema }),
);

/** `GET /cloud/v1/regions/{region_id}?show_volume_types=true` */
export const regionSchema = z.object({ available_volume_types: z.array(apiNameSchema).nullish() });

/** `GET /cloud/v1/flavors/{project_id}/{region_id}` */
export const flavorListSchema = listEnvelope(
  z.object({
    flavor_id: apiNameSchema,
    flavor_name: apiNameSchema,
    disabled: z.boolean().optional(),
    vcpus: z.number().int(),
    ram: z.number().int(),
  }),
);

/**
 * A key of the cloud area, for `ssh_key_name` of instances. This product reads only its name.
 * Source: `GET /cloud/v1/ssh_keys/{project_id}`.
 */
export const cloudSshKeyListSchema = listEnvelope(z.object({ name: z.string() }));

/** `created_resources`: a missing field, `null` and `[]` all mean none. */
const createdResourcesSchema = z
  .object({
    instances: firstIds(lenientArray(apiIdSchema)),
    volumes: firstIds(lenientArray(apiIdSchema)),
    floatingips: firstIds(lenientArray(apiIdSchema)),
    snapshots: firstIds(lenientArray(apiIdSchema)),
    ddos_profiles: firstIds(lenientArray(z.number().int())),
  })
  .catchall(z.unknown())
  .nullish()
  .transform((created) => {
    const none = { instances: [], volumes: [], floatingips: [], snapshots: [], ddos_profiles: [] };
    const { instances, volumes, floatingips, snapshots, ddos_profiles, ...rest } = created ?? none;
    return { instances, volumes, floatingips, snapshots, ddos_profiles, others: othersOf(rest) };
  });

/**
 * The fields of a task that this product reads. It does not read `data`, which echoes the request with
 * its passwords. `state` stays an open text, because an unknown state means "keep waiting".
 * Source: `GET /cloud/v1/tasks/{task_id}`.
 */
export const taskSchema = z.object({
  id: apiIdSchema,
  task_type: apiNameSchema,
  state: apiNameSchema,
  created_on: timestampSchema.nullish(),
  finished_on: timestampSchema.nullish(),
  // Not cut here: secrets are removed first, and the whole text tells the cause.
  error: z.string().nullish(),
  created_resources: createdResourcesSchema,
});
export type Task = z.infer<typeof taskSchema>;

export const taskListSchema = listEnvelope(taskSchema);

/** Of tasks that go on only the ids matter, and there may be 50,000. */
export const taskIdListSchema = listEnvelope(taskSchema.pick({ id: true }));

/** A quota that a create would exceed. */
export interface ExceededQuota {
  quota: string;
  limit: number;
  requested: number | undefined;
  usage: number | undefined;
}

/** The API has some forty quotas. */
const MAX_QUOTAS = 100;
const MAX_NAME_BYTES = 100;

/**
 * `POST /cloud/v2/instances/{project_id}/{region_id}/check_limits`: a map of `<quota>_limit`,
 * `<quota>_requested`, `<quota>_usage`, filled for quotas that would be exceeded.
 */
export const exceededQuotasSchema = z
  .record(z.string(), z.unknown())
  .transform((answer): ExceededQuota[] =>
    Object.entries(answer)
      .flatMap(([field, limit]) => {
        const quota = /^(.+)_limit$/.exec(field)?.[1];
        if (quota === undefined || typeof limit !== 'number') return [];
        const requested = numberOrUndefined(answer[`${quota}_requested`]);
        const usage = numberOrUndefined(answer[`${quota}_usage`]);
        // The server may list quotas that are not exceeded too.
        if (requested !== undefined && usage !== undefined && requested + usage <= limit) return [];
        return [{ quota: cutText(quota, MAX_NAME_BYTES), limit, requested, usage }];
      })
      .slice(0, MAX_QUOTAS),
  );

function numberOrUndefined(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** The API writes amounts as texts, such as `"1.02"`; other places of it as numbers. */
const amountSchema = z
  .union([
    z.number(),
    z
      .string()
      .max(30)
      .regex(/^\d+(\.\d+)?$/)
      .transform(Number),
  ])
  .refine((amount) => Number.isFinite(amount) && amount >= 0);

const priceSchema = z.object({
  price_status: z.literal('show'),
  currency_code: z.string().regex(/^[A-Z]{3}$/),
  total_price_per_hour: amountSchema,
  total_price_per_month: amountSchema,
});

/**
 * `POST /cloud/v2/pricing/{project_id}/{region_id}/instances`: what an instance would cost. Nothing where the API shows
 * no price (`price_status`: `show`, `hide` or `error`), or writes it in another way.
 */
export const instancePriceSchema = z.looseObject({}).transform((answer): PlanPrice | undefined => {
  const shown = priceSchema.safeParse(answer).data;
  return (
    shown && {
      perHour: shown.total_price_per_hour,
      perMonth: shown.total_price_per_month,
      currency: shown.currency_code,
    }
  );
});
