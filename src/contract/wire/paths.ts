import type { Place } from './names.js';

/** A plan puts a placeholder such as `{task_id}` where the run would have an id. */
type Id = string | number;

function inPlace(collection: string, { projectId, regionId }: Place): string {
  return `/cloud/v1/${collection}/${projectId}/${regionId}`;
}

/**
 * Every path of the API that the product calls. Plans print the paths that activities call.
 */
export const paths = {
  projects: () => '/cloud/v1/projects',
  regions: () => '/cloud/v1/regions',
  tasks: () => '/cloud/v1/tasks',
  task: (taskId: string) => `/cloud/v1/tasks/${taskId}`,

  createInstance: ({ projectId, regionId }: Place) =>
    `/cloud/v2/instances/${projectId}/${regionId}`,
  checkLimits: (place: Place) => `${paths.createInstance(place)}/check_limits`,
  instances: (place: Place) => inPlace('instances', place),
  instance: (place: Place, id: string) => `${inPlace('instances', place)}/${id}`,
  changeFlavor: (place: Place, id: string) => `${paths.instance(place, id)}/changeflavor`,
  instanceAction: (place: Place, id: string) => `${paths.createInstance(place)}/${id}/action`,
  availableFlavors: (place: Place) => `${inPlace('instances', place)}/available_flavors`,
  flavors: (place: Place) => inPlace('flavors', place),
  volumes: (place: Place) => inPlace('volumes', place),
  volume: (place: Place, id: string) => `${inPlace('volumes', place)}/${id}`,
  floatingIps: (place: Place) => inPlace('floatingips', place),
  floatingIp: (place: Place, id: string) => `${inPlace('floatingips', place)}/${id}`,
  image: (place: Place, id: string) => `${inPlace('images', place)}/${id}`,
  network: (place: Place, id: string) => `${inPlace('networks', place)}/${id}`,
  subnet: (place: Place, id: string) => `${inPlace('subnets', place)}/${id}`,
  cloudSshKeys: (projectId: number) => `/cloud/v1/ssh_keys/${projectId}`,

  ddosCoverage: (regionId: number) => `/cloud/v1/ddos/region_coverage/${regionId}`,
  ddosAccessibility: (regionId: number) => `/cloud/v1/ddos/accessibility/${regionId}`,
  ddosTemplates: (regionId: number) => `/cloud/v1/ddos/profile-templates/${regionId}`,
  ddosProfiles: (place: Place) => inPlace('ddos/profiles', place),
  ddosProfile: (place: Place, id: Id) => `${inPlace('ddos/profiles', place)}/${id}`,
  ddosProfileAction: (place: Place, id: Id) => `${inPlace('ddos/profiles', place)}/${id}/action`,

  sshKeys: () => '/storage/v4/ssh_keys',
  sftpStorage: (storageId: number) => `/storage/v4/sftp_storages/${storageId}`,

  videos: () => '/streaming/videos',
  videoBatch: () => '/streaming/videos/batch',

  kvStore: (storeId: number) => `/fastedge/v1/kv/${storeId}`,
  kvData: (storeId: number) => `/fastedge/v1/kv/${storeId}/data`,
  kvKey: (storeId: number, key: string) =>
    `/fastedge/v1/kv/${storeId}/data/${encodeURIComponent(key)}`,
} as const;
