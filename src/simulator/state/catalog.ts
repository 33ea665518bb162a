/** Seed data: the projects, regions and flavors that exist in every simulator. */

/** The account. */
export const CLIENT_ID = 1;

export const PROJECTS = [
  { id: 1, name: 'Default', is_default: true },
  { id: 2, name: 'Staging', is_default: false },
].map((project) => ({
  ...project,
  client_id: CLIENT_ID,
  state: 'ACTIVE',
  description: null,
  created_at: '2024-01-15T08:00:00Z',
  deleted_at: null,
  task_id: null,
}));

export const REGIONS = [
  { id: 1, display_name: 'Luxembourg-2', country: 'LU' },
  { id: 2, display_name: 'Frankfurt', country: 'DE' },
  { id: 76, display_name: 'Manassas-2', country: 'US' },
].map((region) => ({
  ...region,
  keystone_name: region.display_name,
  state: 'ACTIVE',
  has_basic_vm: false,
  has_kvm: true,
}));

/** The same flavors in every region; `ram` is in MiB. */
export const FLAVORS = [
  { flavor_id: 'g1-standard-1-2', vcpus: 1, ram: 2048 },
  { flavor_id: 'g2-standard-1-2', vcpus: 1, ram: 2048 },
  { flavor_id: 'g2-standard-2-4', vcpus: 2, ram: 4096 },
  { flavor_id: 'g2-standard-4-8', vcpus: 4, ram: 8192 },
  { flavor_id: 'g2-standard-8-16', vcpus: 8, ram: 16_384 },
  { flavor_id: 'g2-memory-2-8', vcpus: 2, ram: 8192 },
].map((flavor) => ({
  ...flavor,
  flavor_name: flavor.flavor_id,
  architecture: 'x86_64',
  os_type: 'linux',
  disabled: false,
  hardware_description: {},
}));

export function findFlavor(id: string): (typeof FLAVORS)[number] | undefined {
  return FLAVORS.find((flavor) => flavor.flavor_id === id);
}

export function findRegion(id: number): (typeof REGIONS)[number] | undefined {
  return REGIONS.find((region) => region.id === id);
}

export interface TemplateField {
  id: number;
  name: string;
  description: string | null;
  field_type: string | null;
  required: boolean | null;
  default: string | null;
  validation_schema: unknown;
}

/** The same DDoS templates in every region. `validation_schema` is a JSON Schema. */
export const PROFILE_TEMPLATES: readonly {
  id: number;
  name: string;
  description: string | null;
  fields: TemplateField[];
}[] = [
  {
    id: 12,
    name: 'Web service',
    description: 'HTTP and HTTPS on ports of your choice',
    fields: [
      {
        id: 3,
        name: 'ports',
        description: 'TCP ports that are let through',
        field_type: null,
        required: true,
        default: null,
        validation_schema: {
          type: 'array',
          minItems: 1,
          items: { type: 'integer', minimum: 1000, maximum: 65_535 },
        },
      },
      {
        id: 4,
        name: 'requests',
        description: 'Requests per second and client',
        field_type: 'int',
        required: false,
        default: '100',
        validation_schema: { type: 'integer', minimum: 1 },
      },
    ],
  },
  {
    id: 13,
    name: 'Game server',
    description: null,
    fields: [
      {
        id: 7,
        name: 'port',
        description: null,
        field_type: 'int',
        required: false,
        default: null,
        validation_schema: { type: 'integer', minimum: 1, maximum: 65_535 },
      },
    ],
  },
];

export function findProfileTemplate(id: number): (typeof PROFILE_TEMPLATES)[number] | undefined {
  return PROFILE_TEMPLATES.find((template) => template.id === id);
}

/** The region without DDoS protection, and the region where this account may not use it. */
export const DDOS_REGIONS = { uncovered: 76, inaccessible: 2 } as const;
