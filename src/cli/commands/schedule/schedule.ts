import type { Cli } from '../../cli.js';
import { addChanges } from './change.js';
import { addCreate } from './create.js';
import { addLooks } from './show.js';

export function addSchedule({ program, session }: Cli): void {
  const schedule = program
    .command('schedule')
    .description('start runs at given times: create, list, show, pause, …');
  addCreate(schedule, session);
  addLooks(schedule, session);
  addChanges(schedule, session);
}
