import { describe, expect, it } from '@jest/globals';

import { renderPage } from '../../../bench/document/page.js';
import { CONDITIONS, FAILED, figureWith, MEASURED } from './figures.js';

describe('the page of figures', () => {
  it('has a table with the units, and a dash where there is no value', () => {
    const page = renderPage([figureWith(MEASURED)]);

    expect(page).toContain('| way | runs | requests | late, s |');
    expect(page).toContain('| ours | 10 | 2.50 | 1.25 |');
    expect(page).toContain('| theirs | 10 | 22 | – |');
  });

  it('leaves out a column without any value', () => {
    expect(renderPage([figureWith(MEASURED)])).not.toContain('CPU');
  });

  it('says on which machine, when and of which commit it was measured', () => {
    const page = renderPage([figureWith(MEASURED)]);

    expect(page).toContain('2026-05-04 at abc1234: Node v20.20.2, 2 cores (a processor), 8 GiB');
  });

  it('names the parts whose conditions differ', () => {
    const other = { ...CONDITIONS, commit: 'fff0000' };
    const measured = { rows: [{ way: 'ours', runs: 20, requests: 2 }], conditions: other };
    const page = renderPage([figureWith(MEASURED, { name: 'large', measured })]);

    expect(page).toContain('Measured (small) on 2026-05-04 at abc1234');
    expect(page).toContain('Measured (large) on 2026-05-04 at fff0000');
  });

  it('keeps what was measured before a failure, and says so with both dates', () => {
    const page = renderPage([figureWith({ ...MEASURED, failed: FAILED })]);

    expect(page).toContain('| ours | 10 | 2.50 | 1.25 |');
    expect(page).toContain(
      '**The last measurement of “small” failed** on 2026-06-05 at def5678: the server ended. The figures above are from 2026-05-04.',
    );
  });

  it('says that a figure has not been measured, and shows no chart of it', () => {
    const page = renderPage([figureWith({ name: 'small', failed: FAILED })]);

    expect(page).toContain('Not measured yet.');
    expect(page).toContain('There are no older figures.');
    expect(page).not.toContain('.svg');
  });

  it('shows a broken promise as broken', () => {
    const { measured } = MEASURED;
    if (measured === undefined) throw new Error('The part was measured');
    const checks = [{ promise: 'Few requests', kept: false }];
    const page = renderPage([figureWith({ ...MEASURED, measured: { ...measured, checks } })]);

    expect(page).toContain('- Few requests: **BROKEN**.');
  });

  it('describes the chart for who cannot see it', () => {
    const page = renderPage([figureWith(MEASURED)]);

    expect(page).toMatch(
      /!\[Runs that wait: requests, late by runs\. requests: ours 2\.50 at 10; theirs 22 at 10\.\]/,
    );
  });
});
