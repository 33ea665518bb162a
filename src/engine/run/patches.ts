/**
 * Ids for Temporal's `patched`: changes of behaviour that the recorded policy cannot express. A run that
 * began before a change keeps the old behaviour. Empty until a release has runs to keep (docs/upgrade.md).
 */
export const Patch = {} as const;
