import { replaceInput } from '../operations/replace-instance.js';
import { stateWithInstances } from '../worlds/instances.js';
import { holderIn } from '../worlds/replaced.js';
import { runUnderKills, type KillFigures, type Kills } from './under-kills.js';

/** Requests of a replacement without problems. */
const MINIMUM = 27;

export interface ReplacementFigures extends KillFigures {
  names: string[];
  /** Whether the address leads to the new instance. */
  isMoved: boolean;
}

/** Replaces an instance while the only worker is killed again and again. */
export function replaceUnderKills(kills: Kills): Promise<ReplacementFigures> {
  return runUnderKills(
    {
      operation: 'replaceInstance',
      input: replaceInput({ deleteOld: { volumes: 'delete' } }),
      changes: { path: /^\/cloud\/v\d\/(?:instances|floatingips|volumes)\// },
      minimum: MINIMUM,
      world: { state: stateWithInstances([{ of: 1 }]) },
      judge: ({ simulator }, { instanceId }) => ({
        names: simulator.inventory().instances.map(({ name }) => name),
        isMoved: holderIn(simulator.snapshot()) === instanceId,
      }),
    },
    '.',
    kills,
  );
}
