/**
 * Ids for Temporal's `patched`: changes of behaviour that the recorded policy cannot express. A run
 * that began before a change keeps the old behaviour.
 */
export const Patch = {
  /** Removal waits for lagging lists, remembers what it has seen, and cleans up after lost calls. */
  thoroughRemoval: 'thorough-removal',
  /** The known tasks of a lost call are waited for before their results are removed or listed. */
  knownTasks: 'known-tasks',
  /** A profile in an unfinished state counts only when no call can still be making it. */
  settledProfile: 'settled-profile',
  /** The answer to `abort` is stored before the run ends. */
  storedAbort: 'stored-abort',
  /** A run that gets a turn after a terminated run waits for the late calls of that run. */
  turnCutShort: 'turn-cut-short',
  /** The status of a blocked run shows at once when a call of its next try was taken. */
  earlyUnblock: 'early-unblock',
  /** A run whose watcher failed asks for one again. */
  watchAgain: 'watch-again',
  /** Receivers are told about a run whose input is refused. */
  tellRefused: 'tell-refused',
  /** A run that is blocked as `Unauthorized` tries again when the key of its account was replaced. */
  keyReplaced: 'key-replaced',
} as const;
