import { cancellationSignal } from '@temporalio/activity';

import { describeSecret, type SecretPlace } from '../../contract/wire/secret-ref.js';
import type { ActivityGroups } from '../../engine/activities/activity-groups.js';
import {
  readSecrets,
  adviceOf,
  describeLack,
  lackFailure,
  type Lack,
  type SecretSource,
} from './secret-source.js';

/** A secret that a run would not find. */
export interface SecretFault {
  path: string;
  message: string;
  advice: string;
}

export function createSecretActivities({ secrets }: { secrets: SecretSource }) {
  return {
    reads: {
      /**
       * For a plan: which of these secrets do not exist, or cannot be read by this worker. Their values do
       * not leave it.
       */
      async checkSecrets({ places }: { places: SecretPlace[] }): Promise<SecretFault[]> {
        const refs = places.map(({ ref }) => ref);
        const lookup = await readSecrets(secrets, refs, cancellationSignal());
        const away: Lack[] = [];
        const faults = places.flatMap(({ path, ref }): SecretFault[] => {
          const read = lookup(ref);
          if (read.is === 'found') return [];
          if (read.is === 'unfit') {
            return [{ path, message: `${describeSecret(ref)} ${read.why}`, advice: 'Correct it.' }];
          }
          if (read.is === 'away') away.push({ ref, read });
          return [{ path, message: describeLack({ ref, read }), advice: adviceOf({ ref, read }) }];
        });
        if (away.length > 0) throw lackFailure(away);
        return faults;
      },
    },
  } satisfies ActivityGroups;
}
