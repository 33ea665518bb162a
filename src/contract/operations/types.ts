/**
 * What callers send and get. Compiled, these would be anonymous types without a word about their fields: the end of the
 * build writes them as interfaces whose fields carry the descriptions of the schemas (`packaging/write-types.js`).
 */
import type { z } from 'zod';

import type { createSftpStorage } from './create-sftp-storage.js';
import type { rotateSftpPassword } from './rotate-sftp-password.js';
import type { replaceInstance } from './replace-instance.js';
import type { addSubtitles } from './add-subtitles.js';
import type { callApi } from './call-api.js';
import type { deleteVideo } from './delete-video.js';
import type { updateVideo } from './update-video.js';
import type { createSshKey } from './create-ssh-key.js';
import type { deleteSshKey } from './delete-ssh-key.js';
import type { createKvStore } from './create-kv-store.js';
import type { replaceKvStore } from './replace-kv-store.js';
import type { deleteKvStore } from './delete-kv-store.js';
import type { deleteInstance } from './delete-instance.js';
import type { grantSftpAccess } from './grant-sftp-access.js';
import type { importReportSchema, importVideos } from './import-videos.js';
import type { listSshKeys } from './list-ssh-keys.js';
import type { listVideos } from './list-videos.js';
import type { modifyKvStore } from './modify-kv-store.js';
import type { protectIp } from './protect-ip.js';
import type { provisionInstance } from './provision-instance.js';
import type { removeProtection } from './remove-protection.js';
import type { resizeInstance } from './resize-instance.js';
import type { batchReportSchema, runBatch } from './run-batch.js';
import type { extendVolume } from './extend-volume.js';
import type { attachVolume } from './attach-volume.js';
import type { detachVolume } from './detach-volume.js';
import type { revertVolume } from './revert-volume.js';
import type { moveFloatingIp } from './move-floating-ip.js';
import type { createVolume } from './create-volume.js';
import type { snapshotVolume } from './snapshot-volume.js';
import type { setInstancePower } from './set-instance-power.js';

export type { CreateInstanceBody } from '../api/create-instance-body.js';
export type { DdosProfileBody } from '../api/ddos.js';
export type { KvItem } from '../api/fastedge.js';
export type { Manifest } from '../manifest.js';
export type { StepStatus } from '../../engine/schema/status-document.js';

export type ProvisionInstanceInput = z.infer<typeof provisionInstance.input>;
export type ProvisionInstanceResult = z.infer<typeof provisionInstance.result>;
export type ProtectIpInput = z.infer<typeof protectIp.input>;
export type ProtectIpResult = z.infer<typeof protectIp.result>;
export type ModifyKvStoreInput = z.infer<typeof modifyKvStore.input>;
export type ModifyKvStoreResult = z.infer<typeof modifyKvStore.result>;
export type ImportVideosInput = z.infer<typeof importVideos.input>;
export type ImportVideosResult = z.infer<typeof importVideos.result>;
export type ListSshKeysInput = z.infer<typeof listSshKeys.input>;
export type ListSshKeysResult = z.infer<typeof listSshKeys.result>;
export type ListVideosInput = z.infer<typeof listVideos.input>;
export type ListVideosResult = z.infer<typeof listVideos.result>;
export type GrantSftpAccessInput = z.infer<typeof grantSftpAccess.input>;
export type GrantSftpAccessResult = z.infer<typeof grantSftpAccess.result>;
export type DeleteInstanceInput = z.infer<typeof deleteInstance.input>;
export type DeleteInstanceResult = z.infer<typeof deleteInstance.result>;
export type ResizeInstanceInput = z.infer<typeof resizeInstance.input>;
export type ResizeInstanceResult = z.infer<typeof resizeInstance.result>;
export type SetInstancePowerInput = z.infer<typeof setInstancePower.input>;
export type SetInstancePowerResult = z.infer<typeof setInstancePower.result>;
export type ExtendVolumeInput = z.infer<typeof extendVolume.input>;
export type ExtendVolumeResult = z.infer<typeof extendVolume.result>;
export type AttachVolumeInput = z.infer<typeof attachVolume.input>;
export type AttachVolumeResult = z.infer<typeof attachVolume.result>;
export type DetachVolumeInput = z.infer<typeof detachVolume.input>;
export type DetachVolumeResult = z.infer<typeof detachVolume.result>;
export type RevertVolumeInput = z.infer<typeof revertVolume.input>;
export type RevertVolumeResult = z.infer<typeof revertVolume.result>;
export type RemoveProtectionInput = z.infer<typeof removeProtection.input>;
export type RemoveProtectionResult = z.infer<typeof removeProtection.result>;
export type MoveFloatingIpInput = z.infer<typeof moveFloatingIp.input>;
export type MoveFloatingIpResult = z.infer<typeof moveFloatingIp.result>;
export type CreateVolumeInput = z.infer<typeof createVolume.input>;
export type CreateVolumeResult = z.infer<typeof createVolume.result>;
export type SnapshotVolumeInput = z.infer<typeof snapshotVolume.input>;
export type SnapshotVolumeResult = z.infer<typeof snapshotVolume.result>;
export type CreateSshKeyInput = z.infer<typeof createSshKey.input>;
export type CreateSshKeyResult = z.infer<typeof createSshKey.result>;
export type DeleteSshKeyInput = z.infer<typeof deleteSshKey.input>;
export type DeleteSshKeyResult = z.infer<typeof deleteSshKey.result>;
export type CreateKvStoreInput = z.infer<typeof createKvStore.input>;
export type CreateKvStoreResult = z.infer<typeof createKvStore.result>;
export type ReplaceKvStoreInput = z.infer<typeof replaceKvStore.input>;
export type ReplaceKvStoreResult = z.infer<typeof replaceKvStore.result>;
export type DeleteKvStoreInput = z.infer<typeof deleteKvStore.input>;
export type DeleteKvStoreResult = z.infer<typeof deleteKvStore.result>;
export type CreateSftpStorageInput = z.infer<typeof createSftpStorage.input>;
export type CreateSftpStorageResult = z.infer<typeof createSftpStorage.result>;
export type RotateSftpPasswordInput = z.infer<typeof rotateSftpPassword.input>;
export type RotateSftpPasswordResult = z.infer<typeof rotateSftpPassword.result>;
export type DeleteVideoInput = z.infer<typeof deleteVideo.input>;
export type DeleteVideoResult = z.infer<typeof deleteVideo.result>;
export type UpdateVideoInput = z.infer<typeof updateVideo.input>;
export type UpdateVideoResult = z.infer<typeof updateVideo.result>;
export type AddSubtitlesInput = z.infer<typeof addSubtitles.input>;
export type AddSubtitlesResult = z.infer<typeof addSubtitles.result>;
export type ReplaceInstanceInput = z.infer<typeof replaceInstance.input>;
export type ReplaceInstanceResult = z.infer<typeof replaceInstance.result>;
export type CallApiInput = z.infer<typeof callApi.input>;
export type CallApiResult = z.infer<typeof callApi.result>;
export type RunBatchInput = z.infer<typeof runBatch.input>;
export type RunBatchResult = z.infer<typeof runBatch.result>;

/** The outcome of every line of an import. */
export type ImportReport = z.infer<typeof importReportSchema>;
/** The outcome of every item of a batch. */
export type BatchReport = z.infer<typeof batchReportSchema>;

/** Input and result of each operation, by its Workflow Type. */
export interface Operations {
  provisionInstance: { input: ProvisionInstanceInput; result: ProvisionInstanceResult };
  protectIp: { input: ProtectIpInput; result: ProtectIpResult };
  modifyKvStore: { input: ModifyKvStoreInput; result: ModifyKvStoreResult };
  importVideos: { input: ImportVideosInput; result: ImportVideosResult };
  listSshKeys: { input: ListSshKeysInput; result: ListSshKeysResult };
  listVideos: { input: ListVideosInput; result: ListVideosResult };
  grantSftpAccess: { input: GrantSftpAccessInput; result: GrantSftpAccessResult };
  deleteInstance: { input: DeleteInstanceInput; result: DeleteInstanceResult };
  resizeInstance: { input: ResizeInstanceInput; result: ResizeInstanceResult };
  setInstancePower: { input: SetInstancePowerInput; result: SetInstancePowerResult };
  extendVolume: { input: ExtendVolumeInput; result: ExtendVolumeResult };
  attachVolume: { input: AttachVolumeInput; result: AttachVolumeResult };
  detachVolume: { input: DetachVolumeInput; result: DetachVolumeResult };
  revertVolume: { input: RevertVolumeInput; result: RevertVolumeResult };
  removeProtection: { input: RemoveProtectionInput; result: RemoveProtectionResult };
  moveFloatingIp: { input: MoveFloatingIpInput; result: MoveFloatingIpResult };
  createVolume: { input: CreateVolumeInput; result: CreateVolumeResult };
  snapshotVolume: { input: SnapshotVolumeInput; result: SnapshotVolumeResult };
  createSshKey: { input: CreateSshKeyInput; result: CreateSshKeyResult };
  deleteSshKey: { input: DeleteSshKeyInput; result: DeleteSshKeyResult };
  createKvStore: { input: CreateKvStoreInput; result: CreateKvStoreResult };
  replaceKvStore: { input: ReplaceKvStoreInput; result: ReplaceKvStoreResult };
  deleteKvStore: { input: DeleteKvStoreInput; result: DeleteKvStoreResult };
  createSftpStorage: { input: CreateSftpStorageInput; result: CreateSftpStorageResult };
  rotateSftpPassword: { input: RotateSftpPasswordInput; result: RotateSftpPasswordResult };
  deleteVideo: { input: DeleteVideoInput; result: DeleteVideoResult };
  updateVideo: { input: UpdateVideoInput; result: UpdateVideoResult };
  addSubtitles: { input: AddSubtitlesInput; result: AddSubtitlesResult };
  replaceInstance: { input: ReplaceInstanceInput; result: ReplaceInstanceResult };
  callApi: { input: CallApiInput; result: CallApiResult };
  runBatch: { input: RunBatchInput; result: RunBatchResult };
}
