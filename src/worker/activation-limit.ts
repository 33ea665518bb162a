/**
 * How long one activation of a workflow may take. After that the SDK cuts it, and when that hits it between two of its
 * awaits, Node ends the whole process ("async hook stack has become corrupted") with all other runs. The default of the SDK, five
 * seconds, is less than half a second of work on a machine that is ten times too busy. So it is no limit of what a run may do, but
 * for a run that never ends: Temporal repeats a workflow task after ten seconds in any case.
 */
export const ACTIVATION_LIMIT = { isolateExecutionTimeout: '1 minute' } as const;
