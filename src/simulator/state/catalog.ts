/** Seed data: the projects, regions and flavors that exist in every simulator. */
import type { ProjectEntity } from './rows.js';

/** The account. */
export const CLIENT_ID = 1;

const OPENED_AT = Date.parse('2024-01-15T08:00:00Z');

/** The projects of a new cloud. */
export const PROJECTS: ProjectEntity[] = [
  { id: '1', name: 'Default', isDefault: true },
  { id: '2', name: 'Staging', isDefault: false },
].map((project) => ({
  ...project,
  description: null,
  state: 'ACTIVE',
  createdAt: OPENED_AT,
  deletedAt: null,
  taskId: null,
}));

/** The network of each region that has its public addresses. */
export const EXTERNAL_NETWORK_ID = 'e4ad7c35-6f4e-4c8f-9d1e-0b5f1c2d3e4f';

/** `products` is what the filter `product` asks for; no answer has it. */
export const REGIONS = [
  {
    id: 1,
    display_name: 'Luxembourg-2',
    country: 'LU',
    zone: 'EMEA',
    coordinates: { latitude: '49.61', longitude: '6.13' },
    products: ['containers', 'inference'],
  },
  {
    id: 2,
    display_name: 'Frankfurt',
    country: 'DE',
    zone: 'EMEA',
    coordinates: { latitude: '50.11', longitude: '8.68' },
    products: ['containers'],
  },
  {
    id: 76,
    display_name: 'Manassas-2',
    country: 'US',
    zone: 'AMERICAS',
    coordinates: { latitude: '38.75', longitude: '-77.48' },
    products: [],
  },
].map(({ products, ...region }: RegionSeed) => ({
  products,
  wire: {
    ...region,
    access_level: 'core',
    // Null unless a request asks for it.
    available_volume_types: null,
    created_at: '2023-06-01T08:00:00Z',
    created_on: '2023-06-01T08:00:00Z',
    ddos_endpoint_id: null,
    endpoint_type: 'public',
    external_network_id: EXTERNAL_NETWORK_ID,
    file_share_types: ['standard'],
    has_ai: false,
    has_ai_gpu: false,
    has_baremetal: false,
    has_basic_vm: false,
    has_dbaas: false,
    has_ddos: region.id !== 76,
    has_k8s: false,
    has_kvm: true,
    has_sfs: false,
    keystone_id: region.id,
    keystone_name: region.display_name,
    metrics_database_id: null,
    slug: region.display_name.toLowerCase(),
    state: 'ACTIVE',
    task_id: null,
    vlan_physical_network: 'vlan',
  },
}));

interface RegionSeed {
  id: number;
  display_name: string;
  country: string;
  zone: string;
  coordinates: { latitude: string; longitude: string };
  products: string[];
}

export const VOLUME_TYPES = ['cold', 'ssd_hiiops', 'ssd_lowlatency', 'standard', 'ultra'];

/** The same flavors in every region; `ram` is in MiB. */
export const FLAVORS = [
  { flavor_id: 'g1-standard-1-2', vcpus: 1, ram: 2048 },
  { flavor_id: 'g2-standard-1-2', vcpus: 1, ram: 2048 },
  { flavor_id: 'g2-standard-2-4', vcpus: 2, ram: 4096 },
  { flavor_id: 'g2-standard-4-8', vcpus: 4, ram: 8192 },
  { flavor_id: 'g2-standard-8-16', vcpus: 8, ram: 16_384 },
  { flavor_id: 'g2-memory-2-8', vcpus: 2, ram: 8192 },
  { flavor_id: 'g2w-standard-4-8', vcpus: 4, ram: 8192, os_type: 'windows' },
  { flavor_id: 'g0-standard-2-4', vcpus: 2, ram: 4096, disabled: true },
].map((flavor) => ({
  os_type: 'linux',
  disabled: false,
  ...flavor,
  flavor_name: flavor.flavor_id,
  architecture: 'x86_64',
  hardware_description: {
    vcpus: `${flavor.vcpus} vCPU`,
    ram: `${flavor.ram / 1024} GiB`,
  },
}));

export function findFlavor(id: string): (typeof FLAVORS)[number] | undefined {
  return FLAVORS.find((flavor) => flavor.flavor_id === id);
}

export function findRegion(id: number): (typeof REGIONS)[number]['wire'] | undefined {
  return REGIONS.find(({ wire }) => wire.id === id)?.wire;
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
