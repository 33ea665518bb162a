export { listSshKeys } from './list-ssh-keys.js';
export { provisionInstance } from './provision-instance.js';
