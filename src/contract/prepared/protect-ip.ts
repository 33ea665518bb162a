import type { DdosProfileBody } from '../api/ddos-profile-body.js';
import type { PreparedMaker } from './prepared-run.js';

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
  /**
   * The run reads the profile together with the preflight, and the end of a hold sends at once what the run
   * has changed. Missing in runs that started before this field existed: they go on as they began.
   */
  fewLooks?: true;
}
