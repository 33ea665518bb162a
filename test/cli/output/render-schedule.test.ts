import { describe, expect, it } from '@jest/globals';

import type { ScheduleView } from '../../../src/client/index.js';
import { renderSchedule, renderSchedules } from '../../../src/cli/output/render-schedule.js';

const at = (text: string) => new Date(`2026-11-${text}:00Z`);

const nightly: ScheduleView = {
  scheduleId: 'nightly-kv',
  operation: 'modifyKvStore',
  timing: 'every day at 04:30, Europe/Berlin',
  zone: 'Europe/Berlin',
  overlap: 'skip',
  catchUp: '1 day',
  urgency: 'normal',
  paused: false,
  changedElsewhere: false,
  nextAt: [at('25T03:30'), at('26T03:30')],
  lastRuns: [
    {
      workflowId: 'modify-kv-store/default/nightly-kv-2026-11-24T03:30:00Z',
      dueAt: at('24T03:30'),
      startedAt: at('24T03:30'),
      phase: 'running',
    },
    {
      workflowId: 'modify-kv-store/default/nightly-kv-2026-11-23T03:30:00Z',
      dueAt: at('23T03:30'),
      startedAt: at('23T03:30'),
      phase: 'succeeded',
      endedAt: at('23T03:32'),
    },
  ],
  waiting: 0,
  started: 2,
  missed: 1,
  skipped: 0,
};

describe('a schedule as text', () => {
  it('has its next times in both clocks, its runs with their ends, and what was left out', () => {
    expect(renderSchedule(nightly, at('24T03:31').getTime())).toEqual([
      'nightly-kv (modifyKvStore): every day at 04:30, Europe/Berlin',
      '  state     active',
      '  overlap   skip',
      '  catch-up  1 day',
      '  urgency   normal',
      '  next      2026-11-25T03:30:00Z (25 Nov 2026, 04:30 Europe/Berlin)',
      '            2026-11-26T03:30:00Z (26 Nov 2026, 04:30 Europe/Berlin)',
      '  runs      2 started, 1 missed (too late for the catch-up), 0 skipped (a run was open), 0 waiting',
      '',
      'PHASE      DUE                   TOOK       ENDED                 WORKFLOW ID',
      'running    2026-11-24T03:30:00Z  1 min 0 s                        modify-kv-store/default/nightly-kv-2026-11-24T03:30:00Z',
      'succeeded  2026-11-23T03:30:00Z  2 min 0 s  2026-11-23T03:32:00Z  modify-kv-store/default/nightly-kv-2026-11-23T03:30:00Z',
    ]);
  });

  it('says why it is paused, and that another tool has changed it', () => {
    const paused = { ...nightly, paused: true, note: 'a move', nextAt: [], changedElsewhere: true };

    const lines = renderSchedule(paused, 0);

    expect(lines[1]).toBe('  state     paused: a move');
    expect(lines).toContain(
      '  Another tool has changed it: its timing may differ from what stands here.',
    );
  });
});

describe('schedules as text', () => {
  it('are a table', () => {
    const summary = { ...nightly, nextAt: at('25T03:30'), lastRunAt: undefined };

    expect(renderSchedules([summary, { ...summary, paused: true }])).toEqual([
      'ID          OPERATION      NEXT                      LAST RUN  TIMING',
      'nightly-kv  modifyKvStore  2026-11-25T03:30:00.000Z  none      every day at 04:30, Europe/Berlin',
      'nightly-kv  modifyKvStore  paused                    none      every day at 04:30, Europe/Berlin',
    ]);
  });
});
