import type { GcoreWorkflows, ScheduleSummary } from '../client/index.js';
import type { Labels } from '../engine/core/labels.js';
import type { Session } from './session.js';

type Telling = Pick<Session, 'hint'> & { progress: Pick<Session['progress'], 'notice'> };

/**
 * Says which schedules go on starting runs with these labels, or stay paused when such runs are resumed: a command about runs
 * leaves schedules as they are. What cannot be known stops no command.
 */
export async function tellSchedules(
  session: Telling,
  gcore: { schedules: Pick<GcoreWorkflows['schedules'], 'list'> },
  { labels, resumes }: { labels: Labels; resumes: boolean },
): Promise<void> {
  const { progress, hint } = session;
  try {
    const schedules = await gcore.schedules.list({ labels });
    for (const schedule of schedules.filter(({ paused }) => paused === resumes)) {
      progress.notice(describe(session, schedule));
    }
  } catch {
    progress.notice(
      `Not known: whether a schedule starts runs with this label. Look yourself: ${hint('schedule', 'list')}`,
    );
  }
}

function describe({ hint }: Telling, { scheduleId, timing, paused }: ScheduleSummary): string {
  return paused
    ? `The schedule ${scheduleId} of such runs stays paused. To resume it: ${hint('schedule', 'resume', scheduleId)}`
    : `The schedule ${scheduleId} (${timing}) goes on starting such runs. To pause it first: ${hint('schedule', 'pause', scheduleId)}`;
}
