import type { ProtectionBody } from '../../api/ddos-profile-body.js';
import type { Alternative } from '../../operations/provision-instance.js';
import type { PreparedMaker } from './prepared-maker.js';

export interface PreparedProvisionInstance extends PreparedMaker {
  waitFor: 'task' | 'active';
  /** The caller gives up a broken instance that an earlier, successful run of the request made. */
  replaceBroken?: true;
  alternatives?: Alternative[];
  protect?: ProtectionBody;
}
