import type { Finding } from './world/records.js';
import type { Focus } from './world/swarm.js';

/** A fault of the product that the search has found, and that nobody has mended yet. */
export interface KnownFinding {
  /** What is wrong, in one sentence. */
  because: string;
  /** One that shows it, in a search with this focus. */
  seed: number;
  focus?: Focus;
  invariant: string;
  /** What the judge says of it. */
  says: RegExp;
}

/**
 * The search goes on beside these: what fits one of them is counted, and anything else fails. Who mends one of them moves its
 * seed to `failed-seeds.ts`, and the same seeds show at once whether it is mended.
 */
export const KNOWN_FINDINGS: readonly KnownFinding[] = [
  {
    because:
      'one 404 of a task counts as forgotten, and the run looks for what it did all the time',
    seed: 40029,
    focus: {
      operations: ['revertVolume'],
      kinds: ['short list', 'empty list', 'not found once', 'task error'],
    },
    invariant: 'over budget',
    says: /^revertVolume: it has made \d+ requests/,
  },
  {
    because: 'a floating IP whose maker no answer names is missing in the ledger',
    seed: 60198,
    invariant: 'ledger',
    says: /^provisionInstance: it has made something that its status does not name: floating IP/,
  },
  {
    because:
      'a run that is reset while its create is on its way, and cancelled then, leaves what it made unnamed',
    seed: 70190,
    focus: { plain: true, operations: ['provisionInstance'] },
    invariant: 'not undone',
    says: /^provisionInstance: it ended as cancelled, and what it made exists, and it does not name it: instance/,
  },
  {
    because: 'a profile that no task names and whose template is null is left unnamed',
    seed: 70218,
    focus: { plain: true, operations: ['provisionInstance'] },
    invariant: 'not undone',
    says: /^protectIp: it ended as failed, and what it made exists, and it does not name it: DDoS profile/,
  },
];

export function knownFinding({ invariant, says }: Finding): KnownFinding | undefined {
  return KNOWN_FINDINGS.find((known) => known.invariant === invariant && known.says.test(says));
}
