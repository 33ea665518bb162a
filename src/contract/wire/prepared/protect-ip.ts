import type { DdosProfileBody } from '../../api/ddos-profile-body.js';
import type { PreparedMaker } from './prepared-maker.js';

export interface PreparedProtectIp extends PreparedMaker {
  /** In canonical form, so that two spellings of one address compare as equal. */
  address: string;
  /** As the input has it: `fields` may be missing. */
  profile: DdosProfileBody;
  profileId?: number;
  active: boolean;
  /** When missing, the profile keeps its value. */
  bgp?: boolean;
  holdForMs?: number;
}
