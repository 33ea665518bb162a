import { describe, expect, it } from '@jest/globals';

import { tellSchedules } from '../../src/cli/tell-schedules.js';

describe('schedules that cannot be read', () => {
  it('stop no command about a label: it says that they are not known', async () => {
    const notices: string[] = [];
    const session = {
      progress: { notice: (text: string) => notices.push(text) },
      hint: (...words: string[]) => `gcore-workflows ${words.join(' ')}`,
    };
    const schedules = { list: () => Promise.reject(new Error('denied')) };

    await tellSchedules(session, { schedules }, { labels: { group: 'night' }, resumes: false });

    expect(notices).toEqual([
      'Not known: whether a schedule starts runs with this label. Look yourself: gcore-workflows schedule list',
    ]);
  });
});
