import type { DdosProfileView } from '../../../activities/ddos-profiles.js';
import { lookUntilGraceEnds } from '../../../engine/wait/look-until.js';
import {
  readProfile,
  type ProfilePlace,
  type ProtectRun,
} from '../../shared/ddos-profile/ddos-run.js';
import { judgeStatus } from '../../shared/ddos-profile/judge-profile.js';

/**
 * Reads a profile that has just been made. The API chooses `active` and `bgp` of a new one, and a list that lags
 * shows it as it was before that: still under way. Looks through the grace time then.
 *
 * @param seen what earlier reads have shown
 */
export async function readBorn(
  run: ProtectRun,
  place: ProfilePlace,
  { id, seen }: { id: number; seen: readonly DdosProfileView[] },
): Promise<DdosProfileView> {
  const known = seen.find((profile) => profile.id === id);
  if (known !== undefined && isBorn(known)) return known;
  const until = Date.now() + run.prepared.policy.reconcileGraceMs;
  let status: string | undefined;
  const grace = { name: `profile ${id} to be made`, until, state: () => status };
  return lookUntilGraceEnds(run, grace, async (isLate) => {
    const profile = await readProfile(run, place, id);
    ({ status } = profile);
    return isLate || isBorn(profile) ? profile : undefined;
  });
}

function isBorn(profile: DdosProfileView): boolean {
  return judgeStatus(profile).kind !== 'under-way';
}
