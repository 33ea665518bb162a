/** Thrown when no schedule of this product has this id in this namespace. */
export class ScheduleNotFoundError extends Error {
  override readonly name = 'ScheduleNotFoundError';
  readonly scheduleId: string;

  constructor(scheduleId: string) {
    super(
      `There is no schedule "${scheduleId}" in this namespace. Check the id (gcore-workflows schedule list) and the namespace.`,
    );
    this.scheduleId = scheduleId;
  }
}

/** Thrown by `create` when the schedule exists with another content. Nothing was changed. */
export class ScheduleConflictError extends Error {
  override readonly name = 'ScheduleConflictError';
  readonly scheduleId: string;
  /** Where both differ, such as `at`, `overlap` or a field of the input; never a value. */
  readonly paths: readonly string[];
  readonly advice: string;

  constructor(scheduleId: string, paths: readonly string[]) {
    const advice =
      'Use another id, or delete the schedule and create it again. Runs that it has started continue.';
    super(
      `The schedule "${scheduleId}" exists with another content: ${paths.join(', ')}. Nothing was changed. ${advice}`,
    );
    this.scheduleId = scheduleId;
    this.paths = paths;
    this.advice = advice;
  }
}
