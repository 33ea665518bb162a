import type { Place } from './names.js';

/** A plan puts a placeholder such as `{task_id}` where the run would have an id. */
type Id = string | number;

function inPlace(collection: string, { projectId, regionId }: Place): string {
  return `/cloud/v1/${collection}/${projectId}/${regionId}`;
}

/**
 * Every path of the API that the product calls. Plans print the paths that activities call. A comment says why each
 * method is called: docs/key-scopes.md repeats it for every operation that makes the call.
 */
export const paths = {
  /** GET: plan, when it finds nothing: the project exists. */
  projects: () => '/cloud/v1/projects',
  /** GET: plan, when it finds nothing: the region exists. */
  regions: () => '/cloud/v1/regions',
  /** GET: the region has the type of volume. */
  region: (regionId: number) => `/cloud/v1/regions/${regionId}`,
  /** GET: one list for all waiting runs; finds tasks of lost calls. */
  tasks: () => '/cloud/v1/tasks',
  /** GET: waits for a task. */
  task: (taskId: string) => `/cloud/v1/tasks/${taskId}`,

  /** POST: creates the instance. */
  createInstance: ({ projectId, regionId }: Place) =>
    `/cloud/v2/instances/${projectId}/${regionId}`,
  /** POST: plan: the quota suffices; changes nothing. */
  checkLimits: (place: Place) => `${paths.createInstance(place)}/check_limits`,
  /** POST: plan: what it costs; changes nothing. */
  instancePrice: ({ projectId, regionId }: Place) =>
    `/cloud/v2/pricing/${projectId}/${regionId}/instances`,
  /** GET: plan, when it finds nothing: the place has instances. */
  instances: (place: Place) => inPlace('instances', place),
  /** GET: the instance before, verification, and what locks it. DELETE: deletes the instance. */
  instance: (place: Place, id: string) => `${inPlace('instances', place)}/${id}`,
  /** POST: changes the flavor. */
  changeFlavor: (place: Place, id: string) => `${paths.instance(place, id)}/changeflavor`,
  /** POST: starts, stops or restarts the instance. */
  instanceAction: (place: Place, id: string) => `${paths.createInstance(place)}/${id}/action`,
  /** POST: plan: there is room for it; changes nothing. */
  availableFlavors: (place: Place) => `${inPlace('instances', place)}/available_flavors`,
  /** GET: the flavor exists. */
  flavors: (place: Place) => inPlace('flavors', place),
  /** GET: verifies that the volumes are gone. POST: creates the volume. */
  volumes: (place: Place) => inPlace('volumes', place),
  /** GET: the volume before, and verification. DELETE: deletes the volumes that the input chooses. */
  volume: (place: Place, id: string) => `${inPlace('volumes', place)}/${id}`,
  /** POST: makes the volume larger. */
  extendVolume: (place: Place, id: string) => `${paths.volume(place, id)}/extend`,
  /** POST: reverts the volume to its last snapshot. */
  revertVolume: (place: Place, id: string) => `${paths.volume(place, id)}/revert`,
  /** POST: attaches the volume. */
  attachVolume: ({ projectId, regionId }: Place, id: string) =>
    `/cloud/v2/volumes/${projectId}/${regionId}/${id}/attach`,
  /** POST: detaches the volume. */
  detachVolume: ({ projectId, regionId }: Place, id: string) =>
    `/cloud/v2/volumes/${projectId}/${regionId}/${id}/detach`,
  /** GET: the last snapshot is the one that is named. POST: takes the snapshot. */
  snapshots: (place: Place) => inPlace('snapshots', place),
  /** GET: the snapshot. DELETE: removal. */
  snapshot: (place: Place, id: string) => `${inPlace('snapshots', place)}/${id}`,
  /** GET: finds the floating IPs of the instance, and verification. */
  floatingIps: (place: Place) => inPlace('floatingips', place),
  /** GET: which ports the instance has. */
  interfaces: (place: Place, id: string) => `${paths.instance(place, id)}/interfaces`,
  /** PATCH: moves the floating IP. */
  updateFloatingIp: ({ projectId, regionId }: Place, id: string) =>
    `/cloud/v2/floatingips/${projectId}/${regionId}/${id}`,
  /** GET: a named floating IP. DELETE: deletes the floating IPs that the input chooses. */
  floatingIp: (place: Place, id: string) => `${inPlace('floatingips', place)}/${id}`,
  /** GET: plan, for a volume from an image; a run, where its operating system decides what may be sent. */
  image: (place: Place, id: string) => `${inPlace('images', place)}/${id}`,
  /** GET: plan, for a volume from an application template. */
  appTemplate: (place: Place, id: string) => `${inPlace('apptemplates', place)}/${id}`,
  /** GET: plan, for an interface in a network. */
  network: (place: Place, id: string) => `${inPlace('networks', place)}/${id}`,
  /** GET: plan, for an interface in a subnet. */
  subnet: (place: Place, id: string) => `${inPlace('subnets', place)}/${id}`,
  /** GET: with a name that is no key for SFTP: whether it is a key of the cloud. */
  cloudSshKeys: (projectId: number) => `/cloud/v1/ssh_keys/${projectId}`,

  /** GET: the region has the protection. */
  ddosCoverage: (regionId: number) => `/cloud/v1/ddos/region_coverage/${regionId}`,
  /** GET: the account may use it. */
  ddosAccessibility: (regionId: number) => `/cloud/v1/ddos/accessibility/${regionId}`,
  /** GET: the template exists. */
  ddosTemplates: (regionId: number) => `/cloud/v1/ddos/profile-templates/${regionId}`,
  /** GET: the state before, and verification. POST: creates a profile where there is none. */
  ddosProfiles: (place: Place) => inPlace('ddos/profiles', place),
  /** PATCH: sets the template and the fields. DELETE: removes a profile that the run made. */
  ddosProfile: (place: Place, id: Id) => `${inPlace('ddos/profiles', place)}/${id}`,
  /** POST: switches the profile on or off. */
  ddosProfileAction: (place: Place, id: Id) => `${inPlace('ddos/profiles', place)}/${id}/action`,

  /** GET: the keys for SFTP. POST: adds a key. */
  sshKeys: () => '/storage/v4/ssh_keys',
  /** GET: the key. DELETE: deletes the key. */
  sshKey: (keyId: number) => `/storage/v4/ssh_keys/${keyId}`,
  /** GET: where new storages can be made. */
  storageLocations: () => '/storage/v4/locations',
  /** GET: no storage has the key. POST: makes the storage. */
  sftpStorages: () => '/storage/v4/sftp_storages',
  /** GET: the storage before, and verification. PATCH: sets the list of its keys. */
  sftpStorage: (storageId: number) => `/storage/v4/sftp_storages/${storageId}`,

  /** GET: looks for what was made, and how far it is. */
  videos: () => '/streaming/videos',
  /** POST: creates up to 500 videos. */
  videoBatch: () => '/streaming/videos/batch',
  /** GET: the video before, and verification. PATCH: changes its fields. DELETE: deletes the video. */
  video: (videoId: number) => `/streaming/videos/${videoId}`,
  /** GET: the subtitles that the video has. POST: adds subtitles. */
  videoSubtitles: (videoId: number) => `/streaming/videos/${videoId}/subtitles`,
  /** GET: their text, where the list shows none. */
  videoSubtitle: (videoId: number, id: number) => `/streaming/videos/${videoId}/subtitles/${id}`,

  /** GET: looks for a store of this name, and verification. POST: makes a store. */
  kvStores: () => '/fastedge/v1/kv',
  /** GET: the store and its revision. PUT: sets its name and its comment. DELETE: deletes the store with its data. */
  kvStore: (storeId: number) => `/fastedge/v1/kv/${storeId}`,
  /** GET: reads long sets back. PUT: writes a chunk; OpenAPI: `update` on `store_data`. */
  kvData: (storeId: number) => `/fastedge/v1/kv/${storeId}/data`,
  /** GET: reads keys back, and the datatype before a deletion. */
  kvKey: (storeId: number, key: string) =>
    `/fastedge/v1/kv/${storeId}/data/${encodeURIComponent(key)}`,
} as const;
