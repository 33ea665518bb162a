import type { CreateInstanceBody } from '../../../contract/api/create-instance-body.js';
import type { Place } from '../../../contract/wire/names.js';
import { FailureType } from '../../../engine/core/failures.js';
import { refuseFaults } from '../../../engine/plan/refuse-faults.js';
import { failureTypeOf } from '../../../engine/run/failures.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import type { Run } from '../../gcore.js';
import { bootImageId, checkCredentials, dependsOnSystem } from '../plan/check-credentials.js';

/**
 * Fails as `InvalidRequest` when the operating system of the image does not take the credentials. Reads the image only
 * when that matters.
 */
export async function refuseCredentials(
  run: Pick<Run, 'api'>,
  step: StepRecorder,
  { place, body }: { place: Place; body: CreateInstanceBody },
): Promise<void> {
  const id = bootImageId(body);
  if (id === undefined || !dependsOnSystem(body)) return;
  const osType = await readSystem(run, place, id);
  await refuseFaults(step, (draft) => {
    checkCredentials(draft, body, osType);
  });
}

/** `undefined` when there is no such image: the API says so itself. */
async function readSystem(
  { api: { reads } }: Pick<Run, 'api'>,
  place: Place,
  id: string,
): Promise<string | undefined> {
  try {
    return (await reads.getImage({ ...place, id })).osType;
  } catch (error) {
    if (failureTypeOf(error) !== FailureType.notFound) throw error;
    return undefined;
  }
}
