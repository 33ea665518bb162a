import { workflows } from './gcore.js';

export { createSshKey } from './create-ssh-key.js';
export { createSftpStorage } from './create-sftp-storage.js';
export { rotateSftpPassword } from './rotate-sftp-password.js';
export { addSubtitles } from './add-subtitles.js';
export { callApi } from './call-api.js';
export { deleteVideo } from './delete-video.js';
export { updateVideo } from './update-video.js';
export { deleteSshKey } from './delete-ssh-key.js';
export { createKvStore } from './create-kv-store.js';
export { replaceKvStore } from './replace-kv-store.js';
export { deleteKvStore } from './delete-kv-store.js';
export { deleteInstance } from './delete-instance/delete-instance.js';
export { grantSftpAccess } from './grant-sftp-access/grant-sftp-access.js';
export { importVideos } from './import-videos/import-videos.js';
export { keepUpload } from './keep-upload.js';
export { listSshKeys } from './list-ssh-keys/list-ssh-keys.js';
export { listVideos } from './list-videos.js';
export { protectIp } from './protect-ip/protect-ip.js';
export { modifyKvStore } from './modify-kv-store/modify-kv-store.js';
export { provisionInstance } from './provision-instance/provision-instance.js';
export { removeProtection } from './remove-protection.js';
export { replaceInstance } from './replace-instance/replace-instance.js';
export { resizeInstance } from './resize-instance.js';
export { extendVolume } from './extend-volume.js';
export { attachVolume } from './attach-volume.js';
export { detachVolume } from './detach-volume.js';
export { revertVolume } from './revert-volume.js';
export { moveFloatingIp } from './move-floating-ip.js';
export { createVolume } from './create-volume.js';
export { snapshotVolume } from './snapshot-volume.js';
export { runBatch } from './run-batch/run-batch.js';
export { setInstancePower } from './set-instance-power.js';

/** The workflows of the engine. */
export const { holdTurn, leaseWatches, deliverWebhooks } = workflows;
