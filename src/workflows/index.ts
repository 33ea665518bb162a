export { grantSftpAccess } from './grant-sftp-access.js';
export { holdTurn } from './hold-turn.js';
export { importVideos } from './import-videos.js';
export { listSshKeys } from './list-ssh-keys.js';
export { protectIp } from './protect-ip.js';
export { modifyKvStore } from './modify-kv-store.js';
export { provisionInstance } from './provision-instance.js';
