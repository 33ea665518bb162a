import { describe, expect, it } from '@jest/globals';

import { coloured } from '../../../src/cli/output/paint.js';
import { describeFacts, renderStatus } from '../../../src/cli/output/render-status.js';
import { heldRunCommands } from '../../../src/cli/output/held-run-commands.js';
import {
  at,
  blocked,
  INSTANCE,
  paused,
  START,
  succeeded,
  TASK,
  waiting,
} from '../../support/cli/status-documents.js';

const workflowId = 'provision-instance/default/order-4711';
const now = START + 42_000;
const hint = (...words: string[]) => `gcore-workflows ${words.join(' ')}`;

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

  it('says why a run is blocked, for how long, when it tries again, and what to do', () => {
    const commands = heldRunCommands(workflowId, blocked, hint);

    const lines = renderStatus({ workflowId, status: blocked, remarks: [], commands }, now);

    expect(lines.slice(-6)).toEqual([
      '  blocked for 40 s: QuotaExceeded',
      '  The quota of 10 instances is used up.',
      '  Ask for more.',
      '  tries again in 20 s',
      `  let it go on: gcore-workflows resume ${workflowId}`,
      `  end it: gcore-workflows abort ${workflowId}`,
    ]);
  });

  it('breaks a long advice into lines, which the live picture would cut', () => {
    const advice = 'Check the API key of the worker. '.repeat(10);
    const status = { ...blocked, blocked: { ...blocked.blocked, advice } };

    const lines = renderStatus({ workflowId, status, remarks: [] }, now);

    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(lines.map((line) => line.trim()).join(' ')).toContain(advice.trim());
  });

  it('says that a run is paused, what that means, and how it goes on', () => {
    const commands = heldRunCommands(workflowId, paused, hint);

    const lines = renderStatus({ workflowId, status: paused, remarks: [], commands }, now);

    expect(lines.slice(-3)).toEqual([
      '  paused: nothing new is sent; what was sent goes on at the API',
      `  let it go on: gcore-workflows resume ${workflowId}`,
      `  end it: gcore-workflows abort ${workflowId}`,
    ]);
  });

  it('names no command for a run that goes on by itself', () => {
    expect(heldRunCommands(workflowId, waiting, hint)).toEqual([]);
    expect(heldRunCommands(workflowId, undefined, hint)).toEqual([]);
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

    expect(facts.map(({ text }) => text)).toEqual([
      `create instance: waiting, task ${TASK}`,
      'waiting: task 3f2a91c0… RUNNING, usually within 30 s',
    ]);
  });

  it('tells of a block once, however often it tries again', () => {
    const commands = heldRunCommands(workflowId, blocked, hint);
    const later = { ...blocked, blocked: { ...blocked.blocked, nextCheckAt: at(122) } };

    const [first, second] = [blocked, later].map((status) =>
      describeFacts({ workflowId, status, remarks: [], commands }).at(-1),
    );

    expect(first?.text).toBe(
      `blocked since ${at(2)}: QuotaExceeded: The quota of 10 instances is used up. Ask for more.; ` +
        `tries again at ${at(62)}; let it go on: gcore-workflows resume ${workflowId}; ` +
        `end it: gcore-workflows abort ${workflowId}`,
    );
    expect(second?.key).toBe(first?.key);
  });
});
