import { findProfileTemplate } from '../state/catalog.js';
import type { ProfileView } from '../state/ddos-entities.js';
import type {
  CloudSshKeyEntity,
  DdosProfileEntity,
  SftpStorageEntity,
  SshKeyEntity,
} from '../state/rows.js';
import { fingerprintOf } from '../state/ssh-key-pair.js';
import { storageStatus } from '../state/sftp-storages.js';
import type { World } from '../state/world.js';
import { toUtc } from './wire-parts.js';

/** Wire forms of keys, storages and profiles: every documented field, under the API's names. */
export type DdosProfileObject = ReturnType<typeof formatDdosProfile>;
export type SshKeyObject = ReturnType<typeof formatSshKey>;
export type SftpStorageObject = ReturnType<typeof formatSftpStorage>;
export type CloudSshKeyObject = ReturnType<typeof formatCloudSshKey>;

export function formatSshKey({ id, name, publicKey, createdAt }: Readonly<SshKeyEntity>) {
  return {
    id: Number(id),
    name,
    public_key: publicKey,
    created_at: toUtc(createdAt),
  };
}

export function formatSftpStorage(world: World, storage: Readonly<SftpStorageEntity>) {
  const { id, name, locationName, sshKeyIds, createdAt } = storage;
  const fullName = `1-${name}`;
  return {
    id: Number(id),
    name,
    full_name: fullName,
    location_name: locationName,
    address: `${fullName}.${locationName}.storage.example`,
    provisioning_status: storageStatus(world, storage),
    ssh_key_ids: sshKeyIds,
    has_password: storage.hasPassword,
    created_at: toUtc(createdAt),
    expires: storage.expires,
    server_alias: storage.serverAlias,
    is_http_disabled: storage.isHttpDisabled,
    has_custom_config_file: storage.hasCustomConfigFile,
  };
}

export function formatCloudSshKey(key: Readonly<CloudSshKeyEntity>) {
  const { id, name, projectId, publicKey, sharedInProject, createdAt } = key;
  return {
    id,
    name,
    project_id: projectId,
    public_key: publicKey,
    fingerprint: fingerprintOf(publicKey) ?? '',
    shared_in_project: sharedInProject,
    created_at: toUtc(createdAt),
    state: 'ACTIVE' as const,
  };
}

/** Makes ids of fields that no two profiles share. */
const FIELDS_PER_PROFILE = 1_000;

/** @param view the state to show: lists may lag behind. */
export function formatDdosProfile(profile: Readonly<DdosProfileEntity>, view: ProfileView) {
  const template = findProfileTemplate(view.templateId);
  return {
    id: Number(profile.id),
    ip_address: profile.address,
    profile_template: template ?? null,
    profile_template_description: template?.description ?? null,
    fields: view.fields.map((field) => formatProfileField(profile, template, field)),
    options: { active: view.active, bgp: view.bgp },
    protocols: [],
    site: 'ED',
    status: view.status,
    managed_by: profile.managedBy,
  };
}

/** A field that is set. Its id is not that of the field of the template. */
function formatProfileField(
  { id: profileId }: Readonly<DdosProfileEntity>,
  template: ReturnType<typeof findProfileTemplate>,
  { base_field, field_value, value }: ProfileView['fields'][number],
) {
  const definition = template?.fields.find(({ id }) => id === base_field);
  return {
    ...definition,
    id: Number(profileId) * FIELDS_PER_PROFILE + base_field,
    base_field,
    field_value,
    ...(value !== undefined && { value }),
  };
}
