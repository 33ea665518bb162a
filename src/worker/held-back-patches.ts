import type { Patch } from '../engine/run/patches.js';

type PatchId = (typeof Patch)[keyof typeof Patch];

/**
 * Patches that this version knows and does not use yet. A worker of the version before fails on a history with a
 * patch that it does not know, so a release brings a patch with it, and only the next one uses it (docs/upgrade.md).
 * A run that has used it elsewhere replays all the same.
 */
export const HELD_BACK_PATCHES: readonly PatchId[] = [];

/** The option for workers; left out when nothing is held back. */
export function holdBack(patches: readonly string[] = HELD_BACK_PATCHES): {
  patchActivationCallback?: (use: { patchId: string }) => boolean;
} {
  if (patches.length === 0) return {};
  return { patchActivationCallback: ({ patchId }) => !patches.includes(patchId) };
}
