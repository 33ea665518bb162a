import type { ProtectionBody } from '../../contract/api/ddos-profile-body.js';
import {
  provisionInstanceInputSchema,
  type Alternative,
  type ProvisionInstanceInput,
} from '../../contract/operations/provision-instance.js';
import { parseInput } from '../../contract/parse-input.js';
import { commonDefaults } from './common-defaults.js';
import { invalidInput } from './invalid-input.js';
import type { PreparedMaker, PrepareDeps } from './prepared-run.js';
import { resolvePlace } from './resolve-place.js';
import { thisRun } from './this-run.js';

export interface PreparedProvisionInstance extends PreparedMaker {
  waitFor: 'task' | 'active';
  alternatives?: Alternative[];
  protect?: ProtectionBody;
}

export function createPrepareProvisionInstance({ defaults, policy, cutShortAt }: PrepareDeps) {
  return {
    /** Fails as `InvalidInput` with every fault by path. */
    async prepareProvisionInstance(input: unknown): Promise<PreparedProvisionInstance> {
      const parsed = parseInput<ProvisionInstanceInput>(provisionInstanceInputSchema, input);
      const place = resolvePlace(input, defaults);
      if (!parsed.ok || 'faults' in place) {
        throw invalidInput([
          ...(parsed.ok ? [] : parsed.faults),
          ...('faults' in place ? place.faults : []),
        ]);
      }
      const { marker, workflowId } = thisRun();
      const cutShort = await cutShortAt?.(workflowId);
      return {
        ...withDefaults(parsed.value),
        ...place,
        ...(cutShort === undefined ? {} : { cutShortAt: cutShort }),
        marker,
        policy,
      };
    },
  };
}

function withDefaults(input: ProvisionInstanceInput) {
  const { onFailure, waitFor, alternatives, protect } = input;
  return {
    ...commonDefaults(input),
    onFailure: onFailure ?? 'rollback',
    waitFor: waitFor ?? 'active',
    ...(alternatives === undefined ? {} : { alternatives }),
    ...(protect === undefined ? {} : { protect }),
  };
}
