import { describe, expect, it } from '@jest/globals';

import { coloured } from '../../src/cli/paint.js';
import { describeFacts, renderStatus } from '../../src/cli/render-status.js';
import { at, INSTANCE, START, succeeded, TASK, waiting } from './status-documents.js';

const workflowId = 'provision-instance/default/order-4711';
const now = START + 42_000;

describe('renderStatus', () => {
  it('shows each step, what is waited for, what is usual and when it looks again', () => {
    const lines = renderStatus({ workflowId, status: waiting, remarks: [] }, now);

    expect(lines).toEqual([
      `${workflowId}  waiting  42 s`,
      '  … create instance  waiting  42 s',
      `      task ${TASK}`,
      '  · verify instance  planned',
      '  waiting: task 3f2a91c0… RUNNING 41 s, usually within 30 s; next look in 4 s',
    ]);
  });

  it('shows what exists, and stops the clock when the run has ended', () => {
    const lines = renderStatus({ workflowId, status: succeeded, remarks: [] }, now + 3_600_000);

    expect(lines).toEqual([
      `${workflowId}  succeeded  53 s`,
      '  ✓ create instance  verified  50 s',
      `      task ${TASK}`,
      `      instance ${INSTANCE}`,
      '  ✓ verify instance  verified  3 s',
      '      status ACTIVE',
    ]);
  });

  it('says that it looks now when the next look is due', () => {
    const lines = renderStatus({ workflowId, status: waiting, remarks: [] }, START + 47_000);

    expect(lines.at(-1)).toContain('; looking now');
  });

  it('says why a run is blocked, for how long, and what to do', () => {
    const blocked = {
      type: 'QuotaExceeded',
      message: 'The quota of 10 instances is used up.',
      advice: 'Ask for more.',
      since: at(2),
    } as const;
    const status = { ...waiting, phase: 'blocked', waiting: undefined, blocked } as const;

    const lines = renderStatus({ workflowId, status, remarks: [] }, now);

    expect(lines.slice(-3)).toEqual([
      '  blocked for 40 s: QuotaExceeded',
      '  The quota of 10 instances is used up.',
      '  Ask for more.',
    ]);
  });

  it('says that nothing is known before a worker has answered, and why', () => {
    const lines = renderStatus({ workflowId, remarks: ['No worker polls.'] }, now);

    expect(lines).toEqual([`${workflowId}  not yet known`, '  No worker polls.']);
  });

  it('differs in colours only from what it shows without them', () => {
    const view = { workflowId, status: waiting, remarks: ['No worker polls.'] };

    const lines = renderStatus(view, now, coloured);

    // eslint-disable-next-line no-control-regex -- colours are control characters
    const bare = lines.map((line) => line.replace(/\x1b\[\d+m/g, ''));
    expect(bare).toEqual(renderStatus(view, now));
    expect(bare).not.toEqual(lines);
  });
});

describe('describeFacts', () => {
  it('names steps that have begun and the wait, and nothing that changes by itself', () => {
    const facts = describeFacts({ workflowId, status: waiting, remarks: [] });

    expect(facts).toEqual([
      `create instance: waiting, task ${TASK}`,
      'waiting: task 3f2a91c0… RUNNING, usually within 30 s',
    ]);
  });
});
