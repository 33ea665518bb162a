/** All rows of the simulated cloud by their collection: what a state has, and what the world keeps. */
import type { z } from 'zod';

import {
  kvEntryEntitySchema,
  kvStoreEntitySchema,
  sftpStorageEntitySchema,
  sshKeyEntitySchema,
} from './account-entities.js';
import { cloudRows } from './cloud-entities.js';
import { subtitleEntitySchema, videoEntitySchema } from './video-entities.js';
import { taskEntitySchema } from './task-entities.js';

export const rowSchemas = {
  ...cloudRows,
  tasks: taskEntitySchema,
  sshKeys: sshKeyEntitySchema,
  sftpStorages: sftpStorageEntitySchema,
  videos: videoEntitySchema,
  subtitles: subtitleEntitySchema,
  kvStores: kvStoreEntitySchema,
  kvEntries: kvEntryEntitySchema,
};

export type Rows = { [K in keyof typeof rowSchemas]: z.infer<(typeof rowSchemas)[K]> };
export type RowKind = keyof Rows;

export type ProjectEntity = Rows['projects'];
export type NetworkEntity = Rows['networks'];
export type SubnetEntity = Rows['subnets'];
export type ImageEntity = Rows['images'];
export type SecurityGroupEntity = Rows['securityGroups'];
export type PlacementGroupEntity = Rows['placementGroups'];
export type InstanceEntity = Rows['instances'];
export type VolumeEntity = Rows['volumes'];
export type FloatingIpEntity = Rows['floatingIps'];
export type TaskEntity = Rows['tasks'];
export type SshKeyEntity = Rows['sshKeys'];
export type SftpStorageEntity = Rows['sftpStorages'];
export type CloudSshKeyEntity = Rows['cloudSshKeys'];
export type DdosProfileEntity = Rows['ddosProfiles'];
export type VideoEntity = Rows['videos'];
export type SubtitleEntity = Rows['subtitles'];
export type KvStoreEntity = Rows['kvStores'];
export type KvEntryEntity = Rows['kvEntries'];
export type SnapshotEntity = Rows['snapshots'];
export type ReservedFixedIpEntity = Rows['reservedFixedIps'];
