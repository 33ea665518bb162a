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

const PLACEHOLDER = /\{(?:ip_octets|two_ip_octets|one_ip_octet)\}/g;

/** A brace that belongs to no placeholder would stand in the name as it is. */
function hasKnownPlaceholders(template: string): boolean {
  return !/[{}]/.test(template.replaceAll(PLACEHOLDER, ''));
}

/** Lists the variants of a union. zod alone says "Invalid input" for a wrong discriminator. */
function oneOf(field: string, ...allowed: string[]): { error: string } {
  return { error: `"${field}" must be one of ${allowed.join(', ')}` };
}

const requiredTextSchema = z.string().min(1, { error: 'must not be empty' });
export const nameSchema = z.string().regex(NAME, { error: NAME_RULE });
const securityGroupsSchema = z.array(
  z.strictObject({ id: resourceIdSchema.describe('id of the security group') }),
);
const ipFamilySchema = z
  .enum(['ipv4', 'ipv6', 'dual'])
  .nullable()
  .optional()
  .describe('which addresses it gets; dual: one of each');

const floatingIpSchema = z.discriminatedUnion(
  'source',
  [
    z.strictObject({ source: z.literal('new').describe('a new floating IP') }),
    z.strictObject({
      source: z.literal('existing').describe('a floating IP that exists'),
      existing_floating_id: resourceIdSchema.describe('id of the floating IP'),
    }),
  ],
  oneOf('source', 'new', 'existing'),
);

const commonInterface = {
  interface_name: z
    .string()
    .max(37, { error: 'must have at most 37 characters' })
    .optional()
    .describe('name of the interface'),
  security_groups: securityGroupsSchema.optional().describe('security groups of this interface'),
};

/** A network interface, by `type`. There is no `port_group` here: that field belongs to bare metal. */
const interfaceSchema = z.discriminatedUnion(
  'type',
  [
    z.strictObject({
      type: z.literal('external').describe('a public address'),
      ip_family: ipFamilySchema,
      ...commonInterface,
    }),
    z.strictObject({
      type: z.literal('subnet').describe('an address in one subnet'),
      network_id: resourceIdSchema.describe('id of the network'),
      subnet_id: resourceIdSchema.describe('id of the subnet'),
      floating_ip: floatingIpSchema.optional().describe('gives this interface a public address'),
      ...commonInterface,
    }),
    z.strictObject({
      type: z.literal('any_subnet').describe('an address in any subnet of a network'),
      network_id: resourceIdSchema.describe('id of the network'),
      ip_address: z
        .union([z.ipv4(), z.ipv6()], { error: 'must be an IP address' })
        .optional()
        .describe('address in the network; the API chooses one when left out'),
      ip_family: ipFamilySchema,
      floating_ip: floatingIpSchema.optional().describe('gives this interface a public address'),
      ...commonInterface,
    }),
    z.strictObject({
      type: z.literal('reserved_fixed_ip').describe('an address that is reserved'),
      port_id: requiredTextSchema.describe('id of the port of the reserved address'),
      floating_ip: floatingIpSchema.optional().describe('gives this interface a public address'),
      ...commonInterface,
    }),
  ],
  oneOf('type', 'external', 'subnet', 'any_subnet', 'reserved_fixed_ip'),
);

const commonVolume = {
  attachment_tag: z
    .string()
    .regex(/^[^,/]{1,60}$/, { error: 'must have 1 to 60 characters, no "," and no "/"' })
    .optional()
    .describe('tag of the attachment, which the instance sees in its metadata'),
  delete_on_termination: z
    .boolean()
    .optional()
    .describe('true: the API deletes the volume together with the instance'),
  tags: tagsBodySchema.optional().describe('tags of the volume'),
};
/** Not zod's `int()`: after a fraction zod would skip the rules between fields. */
const wholeNumberSchema = z.number().refine(Number.isInteger, { error: 'must be a whole number' });
export const sizeSchema = wholeNumberSchema
  .min(1, { error: 'must be at least 1 GiB' })
  .describe('in GiB');
export const volumeTypeSchema = z
  .enum(['cold', 'ssd_hiiops', 'ssd_local', 'ssd_lowlatency', 'standard', 'ultra'])
  .optional()
  .describe('type of the volume; the API chooses it when left out');
const bootIndexSchema = wholeNumberSchema
  .optional()
  .describe('place in the order of booting: 0 is first; a negative one never boots');

/** A volume, by `source`. Only `new-volume` has no `boot_index`: an empty volume cannot boot. */
const volumeBodySchema = z.discriminatedUnion(
  'source',
  [
    z.strictObject({
      source: z.literal('new-volume').describe('an empty volume'),
      size: sizeSchema,
      name: nameSchema.optional().describe('name of the volume'),
      type_name: volumeTypeSchema,
      ...commonVolume,
    }),
    z.strictObject({
      source: z.literal('image').describe('made from an image'),
      image_id: resourceIdSchema.describe('id of the image'),
      size: sizeSchema.optional().describe('in GiB; the API chooses it when left out'),
      boot_index: bootIndexSchema,
      name: nameSchema.optional().describe('name of the volume'),
      type_name: volumeTypeSchema,
      ...commonVolume,
    }),
    z.strictObject({
      source: z.literal('snapshot').describe('made from a snapshot'),
      snapshot_id: resourceIdSchema.describe('id of the snapshot'),
      size: sizeSchema,
      boot_index: bootIndexSchema,
      name: nameSchema.optional().describe('name of the volume'),
      type_name: z
        .enum(['ssd_hiiops', 'standard'])
        .optional()
        .describe('type of the volume; the API chooses it when left out'),
      ...commonVolume,
    }),
    z.strictObject({
      source: z.literal('apptemplate').describe('made from an application template'),
      apptemplate_id: requiredTextSchema.describe('id of the application template'),
      size: sizeSchema.optional().describe('in GiB; the API chooses it when left out'),
      boot_index: bootIndexSchema,
      name: nameSchema.optional().describe('name of the volume'),
      type_name: volumeTypeSchema,
      ...commonVolume,
    }),
    z.strictObject({
      source: z.literal('existing-volume').describe('a volume that exists'),
      volume_id: resourceIdSchema.describe('id of the volume'),
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
  flavor: requiredTextSchema.describe('id of the flavor, such as g2-standard-2-4'),
  interfaces: z
    .array(interfaceSchema)
    .min(1, { error: 'needs at least one interface' })
    .describe('its network interfaces'),
  volumes: z
    .array(volumeBodySchema)
    .min(1, { error: 'needs at least one volume' })
    .max(MAX_VOLUMES, { error: `must have at most ${MAX_VOLUMES} volumes` })
    .describe('its volumes'),
  name: nameSchema.optional().describe('name of the instance; give this or name_template'),
  name_template: z
    .string()
    .regex(NAME_TEMPLATE, { error: NAME_TEMPLATE_RULE })
    .optional()
    .describe('name with parts of its address, such as web-{ip_octets}'),
  ssh_key_name: requiredTextSchema
    .nullable()
    .optional()
    .describe('name of an SSH key for instances'),
  username: requiredTextSchema.optional().describe('user that is created; needs password'),
  password: requiredTextSchema.optional(),
  user_data: z.base64({ error: 'must be base64' }).optional(),
  servergroup_id: resourceIdSchema.optional().describe('id of the placement group'),
  security_groups: securityGroupsSchema
    .optional()
    .describe('security groups of all interfaces; or set them for each interface'),
  tags: tagsBodySchema.optional().describe('tags of the instance'),
  allow_app_ports: z
    .boolean()
    .optional()
    .describe('true: opens the ports of the application template in the security group'),
  configuration: z.record(z.string(), z.unknown()).nullable().optional(),
});

const givenShape = sentShape.extend({
  name_template: sentShape.shape.name_template
    .unwrap()
    .refine(hasKnownPlaceholders, {
      error: 'must have no placeholders but {ip_octets}, {two_ip_octets} and {one_ip_octet}',
    })
    .optional()
    .describe('name with parts of its address, such as web-{ip_octets}'),
  password: orSecret(requiredTextSchema)
    .optional()
    .describe('of the user, or without username of the user that the image has'),
  user_data: orSecret(sentShape.shape.user_data.unwrap())
    .optional()
    .describe('user data for the first boot, in base64'),
  configuration: z
    .record(z.string(), z.unknown())
    .superRefine(checkSecretRefs)
    .nullable()
    .optional()
    .describe('parameters of the application template'),
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

/** The fields of the body that hold no secret, see `Described.shows`. */
export const INSTANCE_SHOWN: readonly string[] = [
  ...[
    'flavor',
    'name',
    'name_template',
    'username',
    'ssh_key_name',
    'servergroup_id',
    'allow_app_ports',
    'security_groups.id',
  ],
  ...[
    'type',
    'ip_family',
    'interface_name',
    'security_groups.id',
    'network_id',
    'subnet_id',
    'floating_ip.source',
    'floating_ip.existing_floating_id',
    'ip_address',
    'port_id',
  ].map((name) => `interfaces.${name}`),
  ...[
    'source',
    'size',
    'name',
    'type_name',
    'attachment_tag',
    'delete_on_termination',
    'image_id',
    'boot_index',
    'snapshot_id',
    'apptemplate_id',
    'volume_id',
  ].map((name) => `volumes.${name}`),
];
