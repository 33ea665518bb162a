/**
 * Changes of what a run does that its recorded policy cannot express; for `patched` of Temporal. A
 * run that began before a change goes on in the old way.
 */
export const Patch = {
  /** Removal waits out lagging lists and remembers what it has seen; lost calls are cleared up after. */
  thoroughRemoval: 'thorough-removal',
  /** What a lost call is known to have started is waited for before it is removed, or counted. */
  knownTasks: 'known-tasks',
  /** A profile that is found under way counts only once no call is that may be making it. */
  settledProfile: 'settled-profile',
} as const;
