import type { Finding } from '../../world/records.js';
import { wasAsked, type Facts } from '../facts/facts.js';
import { isOperation } from '../facts/operations.js';

/** Shorter ones come up by chance. */
const SHORTEST_SECRET = 6;

export function doesNotReplay({ evidence }: Facts): Finding[] {
  return evidence.nondeterminism.map((text) => ({
    invariant: 'does not replay',
    workflowId: undefined,
    says: `A run does not replay: ${text.slice(0, 500)}`,
  }));
}

export function secretTold({ evidence: { secrets, texts } }: Facts): Finding[] {
  return secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .flatMap((secret) => {
      const text = texts.find((each) => each.includes(secret));
      if (text === undefined) return [];
      const from = Math.max(0, text.indexOf(secret) - 120);
      return [
        {
          invariant: 'secret told',
          workflowId: undefined,
          says: `A secret stands in a text: …${text.slice(from, from + 120)}`,
        },
      ];
    });
}

/** A request that the server has taken has a run, unless somebody has deleted it. */
export function lostRun(facts: Facts): Finding[] {
  return facts.evidence.requests.flatMap(({ workflowId, operation }) => {
    const isDeleted = wasAsked(facts, 'delete', workflowId);
    if (isDeleted || facts.runsOf(workflowId).length > 0 || !isOperation(operation)) return [];
    return [
      {
        invariant: 'lost run',
        workflowId,
        says: `${operation}: its request was taken, and there is no run of it`,
      },
    ];
  });
}
