/** The argument of every command for one schedule. */
export const SCHEDULE_ID = ['<ID>', 'name of the schedule'] as const;
