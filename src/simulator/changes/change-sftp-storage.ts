/** Makes, changes and removes SFTP storages. A password stands in one answer and is kept nowhere. */
import { randomBytes } from 'node:crypto';

import { z } from 'zod';

import { MAX_KEYS_PER_STORAGE } from '../../contract/api/storage.js';
import { conflictError, validationError } from '../http/cloud-error.js';
import { formatSftpStorage } from '../http/formatters.js';
import { parseRequest } from '../http/request-body.js';
import { nextId } from '../state/next-id.js';
import type { SftpStorageEntity } from '../state/rows.js';
import { existingStorages } from '../state/sftp-storages.js';
import { nextDuration } from '../state/start-task.js';
import { STORAGE_LOCATIONS } from '../state/storage-locations.js';
import type { World } from '../state/world.js';

/** Such as "2 years 6 months". The API shows this one example; which units there are is inferred. */
const DURATION = /^\d+ (?:year|month|week|day|hour)s?(?: \d+ (?:year|month|week|day|hour)s?)*$/;
const DURATION_FAULT = 'must be a duration such as "2 years 6 months"';

const optionsShape = {
  expires: z.string().regex(DURATION, { error: DURATION_FAULT }).optional(),
  server_alias: z.string().min(1).optional(),
  is_http_disabled: z.boolean().optional(),
  has_custom_config_file: z.boolean().optional(),
  password: z.string().min(8).max(63).optional(),
  ssh_key_ids: z
    .array(z.number().int())
    .max(MAX_KEYS_PER_STORAGE, { error: `must have at most ${MAX_KEYS_PER_STORAGE} keys` })
    .optional(),
};
const passwordModeSchema = z.enum(['auto', 'set', 'none']);

const createBodySchema = z
  .strictObject({
    ...optionsShape,
    location_name: z.string().min(1),
    name: z.string().min(1),
    password_mode: passwordModeSchema,
  })
  .superRefine(checkPassword);

/** A merge patch. The empty text removes the duration and the alias. */
const patchShape = z.strictObject({
  ...optionsShape,
  expires: z.union([z.literal(''), optionsShape.expires]),
  server_alias: z.string().optional(),
  password_mode: passwordModeSchema.optional(),
});
const patchBodySchema = patchShape.superRefine(checkPassword);
type Options = z.infer<typeof patchShape>;

/** Older clients call the password `sftp_password`. */
function renamed(json: unknown): unknown {
  if (typeof json !== 'object' || json === null || !('sftp_password' in json)) return json;
  const { sftp_password: password, ...rest } = json;
  return { password, ...rest };
}

export function createSftpStorage(world: World, json: unknown) {
  const {
    name,
    location_name: locationName,
    ...options
  } = parseRequest(world, createBodySchema, renamed(json));
  assertKeys(world, options);
  assertLocation(locationName);
  // `full_name` is the name of the login, so two storages cannot share it.
  if (existingStorages(world).some((row) => row.name === name)) {
    throw conflictError(`SFTP storage ${name} already exists`);
  }
  const storage: SftpStorageEntity = {
    id: nextId(world, world.sftpStorages),
    name,
    locationName,
    sshKeyIds: [],
    hasPassword: false,
    expires: null,
    serverAlias: null,
    isHttpDisabled: false,
    hasCustomConfigFile: false,
    ...changesOf(options),
    createdAt: world.now(),
    ...begin(world, 'creating'),
  };
  world.sftpStorages.insert(storage);
  return answerOf(world, storage, options);
}

export function changeSftpStorage(
  world: World,
  storage: Readonly<SftpStorageEntity>,
  json: unknown,
) {
  const options = parseRequest(world, patchBodySchema, renamed(json));
  assertKeys(world, options);
  if (storage.change === 'deleting') {
    throw conflictError(`SFTP storage ${storage.id} is being deleted`);
  }
  const changes = { ...changesOf(options), ...begin(world, 'updating') };
  world.sftpStorages.update(storage.id, changes);
  return answerOf(world, { ...storage, ...changes }, options);
}

export function removeSftpStorage(world: World, { id, change }: Readonly<SftpStorageEntity>): void {
  if (change !== 'deleting') world.sftpStorages.update(id, begin(world, 'deleting'));
}

/** The answer to a change, however fast it is; it alone has the password that the call made or set. */
function answerOf(world: World, storage: SftpStorageEntity, options: Options) {
  const { password_mode: mode, password = randomBytes(12).toString('base64url') } = options;
  return {
    ...formatSftpStorage(world, storage),
    provisioning_status: storage.change,
    ...((mode === 'auto' || mode === 'set') && { password }),
  };
}

function changesOf(options: Options): Partial<SftpStorageEntity> {
  const { expires, server_alias: alias, is_http_disabled: isHttpDisabled } = options;
  const { ssh_key_ids: sshKeyIds, has_custom_config_file: hasCustomConfigFile } = options;
  const { password_mode: mode } = options;
  return {
    ...(expires !== undefined && { expires: expires === '' ? null : expires }),
    ...(alias !== undefined && { serverAlias: alias === '' ? null : alias }),
    ...(isHttpDisabled !== undefined && { isHttpDisabled }),
    ...(hasCustomConfigFile !== undefined && { hasCustomConfigFile }),
    ...(sshKeyIds !== undefined && { sshKeyIds }),
    ...(mode !== undefined && { hasPassword: mode !== 'none' }),
  };
}

/** Shortest and longest seconds of a change at a time scale of 1; undocumented. */
const CHANGE_SECONDS = [2, 6] as const;

function begin(world: World, change: SftpStorageEntity['change']) {
  return { change, settledAt: world.now() + nextDuration(world, CHANGE_SECONDS) };
}

function checkPassword(
  { password, password_mode: mode }: Pick<Options, 'password' | 'password_mode'>,
  context: z.RefinementCtx,
): void {
  if ((mode === 'set') === (password !== undefined)) return;
  const message =
    mode === 'set' ? 'is required with password_mode "set"' : 'needs password_mode "set"';
  context.addIssue({ code: 'custom', path: ['password'], message });
}

function assertLocation(name: string): void {
  const isKnown = STORAGE_LOCATIONS.some((row) => row.type === 'sftp' && row.name === name);
  if (isKnown) return;
  throw validationError([{ path: 'location_name', message: `no such SFTP location: ${name}` }]);
}

function assertKeys(world: World, { ssh_key_ids: ids = [] }: Options): void {
  const unknown = ids.filter((id) => world.sshKeys.get(String(id)) === undefined);
  if (unknown.length === 0) return;
  throw validationError([{ path: 'ssh_key_ids', message: `no such key: ${unknown.join(', ')}` }]);
}
