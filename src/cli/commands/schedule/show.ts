import type { Command } from 'commander';

import { renderSchedule, renderSchedules } from '../../output/render-schedule.js';
import type { Session } from '../../session.js';
import { withGcore } from '../../with-gcore.js';
import { SCHEDULE_ID } from './schedule-id.js';

export function addLooks(schedule: Command, session: () => Session): void {
  schedule
    .command('list')
    .description('list the schedules')
    .action(async () => {
      const current = session();
      const schedules = await withGcore(current, (gcore) => gcore.schedules.list());
      current.print(schedules, renderSchedules(schedules));
    });
  schedule
    .command('show')
    .description('show the next times, the last runs and what was left out')
    .argument(...SCHEDULE_ID)
    .action(async (id: string) => {
      const current = session();
      const view = await withGcore(current, (gcore) => gcore.schedules.show(id));
      current.print(view, renderSchedule(view, current.io.clock.now()));
    });
}
