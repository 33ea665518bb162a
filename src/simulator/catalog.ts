/** Seed data: the projects, regions and flavors that exist in every simulator. */

export const PROJECTS = [
  { id: 1, name: 'Default', is_default: true },
  { id: 2, name: 'Staging', is_default: false },
].map((project) => ({
  ...project,
  client_id: 1,
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
