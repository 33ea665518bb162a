import type { ProtectionBody } from '../api/ddos-profile-body.js';
import type { Alternative } from '../operations/provision-instance.js';
import type { PreparedMaker } from './prepared-run.js';

export interface PreparedProvisionInstance extends PreparedMaker {
  waitFor: 'task' | 'active';
  alternatives?: Alternative[];
  protect?: ProtectionBody;
}
