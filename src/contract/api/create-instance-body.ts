import { z } from 'zod';

import { crossFieldRule } from '../../engine/schema/parse-input.js';
import { checkSecretRefs, orSecret } from '../secret-ref-schema.js';
import { resourceIdSchema, tagsBodySchema } from './cloud.js';

const NAME = /^[a-zA-Z0-9][a-zA-Z 0-9._-]{1,61}[a-zA-Z0-9._]$/;
const NAME_RULE =
  'must have 3 to 63 characters: letters, digits, spaces, ".", "_", "-"; it must start with a letter or digit and must not end with a space or "-"';
const NAME_TEMPLATE = /^[a-zA-Z0-9{][a-zA-Z 0-9._\-}{]{1,61}[a-zA-Z0-9._}]$/;
const NAME_TEMPLATE_RULE =
  'must have 3 to 63 characters: letters, digits, spaces, ".", "_", "-" and the placeholders {ip_octets}, {two_ip_octets}, {one_ip_octet}';

/** Lists the variants of a union. zod alone says "Invalid input" for a wrong discriminator. */
function oneOf(field: string, ...allowed: string[]): { error: string } {
  return { error: `"${field}" must be one of ${allowed.join(', ')}` };
}

const requiredTextSchema = z.string().min(1, { error: 'must not be empty' });
const nameSchema = z.string().regex(NAME, { error: NAME_RULE });
const securityGroupsSchema = z.array(z.strictObject({ id: resourceIdSchema }));
const ipFamilySchema = z.enum(['ipv4', 'ipv6', 'dual']).nullable().optional();

const floatingIpSchema = z.discriminatedUnion(
  'source',
  [
    z.strictObject({ source: z.literal('new') }),
    z.strictObject({ source: z.literal('existing'), existing_floating_id: resourceIdSchema }),
  ],
  oneOf('source', 'new', 'existing'),
);

const commonInterface = {
  interface_name: z.string().max(37, { error: 'must have at most 37 characters' }).optional(),
  security_groups: securityGroupsSchema.optional(),
};

/** A network interface, by `type`. There is no `port_group` here: that field belongs to bare metal. */
const interfaceSchema = z.discriminatedUnion(
  'type',
  [
    z.strictObject({
      type: z.literal('external'),
      ip_family: ipFamilySchema,
      ...commonInterface,
    }),
    z.strictObject({
      type: z.literal('subnet'),
      network_id: resourceIdSchema,
      subnet_id: resourceIdSchema,
      floating_ip: floatingIpSchema.optional(),
      ...commonInterface,
    }),
    z.strictObject({
      type: z.literal('any_subnet'),
      network_id: resourceIdSchema,
      ip_address: z.union([z.ipv4(), z.ipv6()], { error: 'must be an IP address' }).optional(),
      ip_family: ipFamilySchema,
      floating_ip: floatingIpSchema.optional(),
      ...commonInterface,
    }),
    z.strictObject({
      type: z.literal('reserved_fixed_ip'),
      port_id: requiredTextSchema,
      floating_ip: floatingIpSchema.optional(),
      ...commonInterface,
    }),
  ],
  oneOf('type', 'external', 'subnet', 'any_subnet', 'reserved_fixed_ip'),
);

const commonVolume = {
  attachment_tag: z
    .string()
    .regex(/^[^,/]{1,60}$/, { error: 'must have 1 to 60 characters, no "," and no "/"' })
    .optional(),
  delete_on_termination: z.boolean().optional(),
  tags: tagsBodySchema.optional(),
};
/** Not zod's `int()`: after a fraction zod would skip the rules between fields. */
const wholeNumberSchema = z.number().refine(Number.isInteger, { error: 'must be a whole number' });
const sizeSchema = wholeNumberSchema.min(1, { error: 'must be at least 1 GiB' });
const volumeTypeSchema = z
  .enum(['cold', 'ssd_hiiops', 'ssd_local', 'ssd_lowlatency', 'standard', 'ultra'])
  .optional();
const bootIndexSchema = wholeNumberSchema.optional();

/** A volume, by `source`. Only `new-volume` has no `boot_index`: an empty volume cannot boot. */
const volumeBodySchema = z.discriminatedUnion(
  'source',
  [
    z.strictObject({
      source: z.literal('new-volume'),
      size: sizeSchema,
      name: nameSchema.optional(),
      type_name: volumeTypeSchema,
      ...commonVolume,
    }),
    z.strictObject({
      source: z.literal('image'),
      image_id: resourceIdSchema,
      size: sizeSchema.optional(),
      boot_index: bootIndexSchema,
      name: nameSchema.optional(),
      type_name: volumeTypeSchema,
      ...commonVolume,
    }),
    z.strictObject({
      source: z.literal('snapshot'),
      snapshot_id: resourceIdSchema,
      size: sizeSchema,
      boot_index: bootIndexSchema,
      name: nameSchema.optional(),
      type_name: z.enum(['ssd_hiiops', 'standard']).optional(),
      ...commonVolume,
    }),
    z.strictObject({
      source: z.literal('apptemplate'),
      apptemplate_id: requiredTextSchema,
      size: sizeSchema.optional(),
      boot_index: bootIndexSchema,
      name: nameSchema.optional(),
      type_name: volumeTypeSchema,
      ...commonVolume,
    }),
    z.strictObject({
      source: z.literal('existing-volume'),
      volume_id: resourceIdSchema,
      boot_index: bootIndexSchema,
      ...commonVolume,
    }),
  ],
  oneOf('source', 'new-volume', 'image', 'snapshot', 'apptemplate', 'existing-volume'),
);

/** A delete names each volume in its URL, and a task names 150 of them. */
const MAX_VOLUMES = 100;

/**
 * Shape of the body of `POST /cloud/v2/instances/{project_id}/{region_id}` (OpenAPI `CreateInstanceSerializerV2`),
 * under the API's own field names. It refuses unknown keys: the API would ignore a misspelt option,
 * and the user would notice it on the bill.
 */
const sentShape = z.strictObject({
  flavor: requiredTextSchema,
  interfaces: z.array(interfaceSchema).min(1, { error: 'needs at least one interface' }),
  volumes: z
    .array(volumeBodySchema)
    .min(1, { error: 'needs at least one volume' })
    .max(MAX_VOLUMES, { error: `must have at most ${MAX_VOLUMES} volumes` }),
  name: nameSchema.optional(),
  name_template: z.string().regex(NAME_TEMPLATE, { error: NAME_TEMPLATE_RULE }).optional(),
  ssh_key_name: requiredTextSchema.nullable().optional(),
  username: requiredTextSchema.optional(),
  password: requiredTextSchema.optional(),
  user_data: z.base64({ error: 'must be base64' }).optional(),
  servergroup_id: resourceIdSchema.optional(),
  security_groups: securityGroupsSchema.optional(),
  tags: tagsBodySchema.optional(),
  allow_app_ports: z.boolean().optional(),
  configuration: z.record(z.string(), z.unknown()).nullable().optional(),
});

const givenShape = sentShape.extend({
  password: orSecret(requiredTextSchema).optional(),
  user_data: orSecret(sentShape.shape.user_data.unwrap()).optional(),
  configuration: z
    .record(z.string(), z.unknown())
    .superRefine(checkSecretRefs)
    .nullable()
    .optional(),
});

const crossFieldViewSchema = z
  .object({
    name: z.unknown(),
    name_template: z.unknown(),
    username: z.unknown(),
    password: z.unknown(),
    security_groups: z.array(z.unknown()).catch([]),
    interfaces: z
      .array(z.object({ security_groups: z.array(z.unknown()).optional() }).catch({}))
      .catch([]),
  })
  .partial();
const rule = crossFieldRule(crossFieldViewSchema);

const rules = [
  rule(
    'name_template',
    'cannot be combined with "name": set one of the two',
    (body) => body.name === undefined || body.name_template === undefined,
  ),
  rule(
    'username',
    'needs "password": the API creates a user only together with a password',
    (body) => body.username === undefined || body.password !== undefined,
  ),
  rule(
    'security_groups',
    'cannot be combined with security groups of interfaces: set them per interface only',
    (body) =>
      (body.security_groups ?? []).length === 0 ||
      !(body.interfaces ?? []).some((item) => (item.security_groups ?? []).length > 0),
  ),
] as const;

/** As a caller gives it: a secret may stand there by its name. */
export const createInstanceBodySchema = givenShape.check(...rules);
/** As it is sent, with the values of the secrets. */
export const sentInstanceBodySchema = sentShape.check(...rules);
export type CreateInstanceBody = z.infer<typeof createInstanceBodySchema>;
export type SentInstanceBody = z.infer<typeof sentInstanceBodySchema>;
