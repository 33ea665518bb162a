import { ScheduleConflictError, ScheduleNotFoundError } from '../../client/index.js';
import type { Problem } from '../cli-error.js';
import { ExitCode } from '../exit-code.js';
import type { Hint } from '../hint.js';

export function scheduleProblem(error: unknown, hint: Hint): Problem | undefined {
  if (error instanceof ScheduleNotFoundError) {
    return {
      type: 'ScheduleNotFound',
      message: `There is no schedule "${error.scheduleId}" in this namespace.`,
      advice: `Find the right id: ${hint('schedule', 'list')}. Check the namespace.`,
      exitCode: ExitCode.failed,
    };
  }
  if (!(error instanceof ScheduleConflictError)) return undefined;
  const { scheduleId, paths } = error;
  return {
    type: 'ScheduleConflict',
    message: `The schedule "${scheduleId}" exists with another content. Nothing was changed.`,
    advice: `Use another id; or see it (${hint('schedule', 'show', scheduleId)}), delete it (${hint('schedule', 'delete', scheduleId)}) and create it again. Its open runs continue.`,
    exitCode: ExitCode.conflict,
    faults: paths.map((path) => ({ path, message: 'differs' })),
  };
}
