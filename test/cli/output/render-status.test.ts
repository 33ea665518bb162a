import { describe, expect, it } from '@jest/globals';

import { FailureType, Phase, type StatusDocument } from '../../../src/contract/index.js';
import { coloured, toTerminalText } from '../../../src/cli/output/terminal-text.js';
import {
  describeFacts,
  renderStatus,
  unservedRemarks,
} from '../../../src/cli/output/render-status.js';
import { failedRunCommands, heldRunCommands } from '../../../src/cli/output/render-asked.js';
import {
  at,
  blocked,
  holding,
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
  it('keeps a text of the API with a line break in its line', () => {
    const [step] = waiting.steps;
    const note = 'no\n  ✓ verify instance';
    const status = { ...waiting, steps: step === undefined ? [] : [{ ...step, note }] };

    const text = renderStatus({ workflowId, status, remarks: [] }, now).join('|');

    expect(text).toContain('no\\u000a  ✓ verify');
    expect(text).not.toContain('\n');
  });

  it('shows each step, the wait, the usual time and the next check', () => {
    const lines = renderStatus({ workflowId, status: waiting, remarks: [] }, now);

    expect(lines).toEqual([
      `${workflowId}  waiting  42 s`,
      '  … create instance  waiting  42 s',
      `      task ${TASK}`,
      '  · verify instance  planned',
      '  waiting: task 3f2a91c0… RUNNING 41 s, usually within 30 s; next check in 4 s',
    ]);
  });

  it('says how fast the items of a bulk run end, and what failed', () => {
    const counts = { asked: 100, succeeded: 18, failed: 3, pending: 20, untried: 59, warned: 0 };
    const byClass = { NotFound: 1, QuotaExceeded: 2 };
    const items = { ...counts, byClass, since: at(0) };
    const render = (phase: Phase) =>
      renderStatus({ workflowId, status: { ...waiting, phase, items }, remarks: [] }, now);

    expect(render(Phase.waiting).slice(4, 6)).toEqual([
      '  30 a minute, about 2 min 38 s left',
      '  failed: 2 QuotaExceeded, 1 NotFound',
    ]);
    expect(render(Phase.failed).join()).not.toContain('a minute');
  });

  it('says until when an address is protected, and only if it is', () => {
    const render = (holds: string) =>
      renderStatus({ workflowId, status: holding(holds), remarks: [] }, now);
    const [head, ...lines] = render('protected');
    const [idleHead, ...idle] = render('not protected');

    expect(head).toBe(`${workflowId}  protected  42 s`);
    expect(lines.at(-1)).toBe('  protected until 2026-05-04T05:02:05.000Z, for 1 h 59 min');
    expect(idleHead).toBe(`${workflowId}  waiting  42 s`);
    expect(idle.at(-1)).toMatch(/^ {2}waiting: the end of the hold 37 s/);
  });

  it('shows the resources, and stops the clock at the end of the run', () => {
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

  it('says when a wait ends at the latest', () => {
    const since = new Date(START).toISOString();
    const endsBy = new Date(now + 78_000).toISOString();
    const status = { ...waiting, waiting: { for: 'a trace', since, endsBy } };

    const lines = renderStatus({ workflowId, status, remarks: [] }, now);
    const late = renderStatus({ workflowId, status, remarks: [] }, now + 80_000);

    expect(lines.at(-1)).toBe('  waiting: a trace 42 s; ends in 1 min 18 s at the latest');
    expect(late.at(-1)).toBe('  waiting: a trace 2 min 2 s');
    expect(describeFacts({ workflowId, status, remarks: [] }).at(-1)?.text).toBe(
      `waiting: a trace, ends by ${endsBy}`,
    );
  });

  it('says that a check is due now', () => {
    const lines = renderStatus({ workflowId, status: waiting, remarks: [] }, START + 47_000);

    expect(lines.at(-1)).toContain('; checking now');
  });

  it('shows why and how long a run is blocked, the next try and the commands', () => {
    const commands = heldRunCommands(workflowId, blocked, hint);

    const lines = renderStatus({ workflowId, status: blocked, remarks: [], commands }, now);

    expect(lines.slice(1, 7)).toEqual([
      '  blocked for 40 s: QuotaExceeded',
      '  The quota of 10 instances is used up.',
      '  Ask for more.',
      '  tries again in 20 s',
      `  continue it: gcore-workflows resume ${workflowId}`,
      `  end it: gcore-workflows abort ${workflowId}`,
    ]);
  });

  it('shows a pause, its meaning, and how to continue', () => {
    const commands = heldRunCommands(workflowId, paused, hint);

    const lines = renderStatus({ workflowId, status: paused, remarks: [], commands }, now);

    expect(lines.slice(1, 4)).toEqual([
      '  paused: nothing new is sent; calls that were sent continue at the API',
      `  continue it: gcore-workflows resume ${workflowId}`,
      `  end it: gcore-workflows abort ${workflowId}`,
    ]);
  });

  it('shows the pause of a run that is blocked, and why it is', () => {
    const block = { ...blocked.blocked, nextCheckAt: undefined };
    const status: StatusDocument = { ...blocked, phase: 'paused', blocked: block };

    const lines = renderStatus({ workflowId, status, remarks: [] }, now);

    expect(lines.slice(1, 5)).toEqual([
      '  paused: nothing new is sent; calls that were sent continue at the API',
      '  blocked for 40 s: QuotaExceeded',
      '  The quota of 10 instances is used up.',
      '  Ask for more.',
    ]);
    expect(lines.join()).not.toContain('again');
  });

  it('says first why a run has failed and what to do, where no result says it', () => {
    const failure = {
      type: FailureType.quotaExceeded,
      message: 'No room.',
      advice: 'Ask for more.',
    };
    const status: StatusDocument = {
      ...{ version: 1, operation: 'provisionInstance', phase: 'failed', steps: waiting.steps },
      failure: { ...failure, since: new Date(START).toISOString() },
    };
    const commands = failedRunCommands(workflowId, status, hint);
    const view = { workflowId, status, remarks: [], commands };

    expect(renderStatus({ ...view, saysEnd: true }, now).slice(1, 5)).toEqual([
      '  failed: QuotaExceeded',
      '  No room.',
      '  Ask for more.',
      `  more: gcore-workflows explain ${workflowId}`,
    ]);
    expect(renderStatus({ ...view, commands: [] }, now).join()).not.toContain('No room.');
    expect(failedRunCommands(workflowId, blocked, hint)).toEqual([]);
  });

  it('names no command for a run that needs none', () => {
    expect(heldRunCommands(workflowId, waiting, hint)).toEqual([]);
    expect(heldRunCommands(workflowId, undefined, hint)).toEqual([]);
  });

  it('says that nothing is known before a worker answers, and why', () => {
    const lines = renderStatus({ workflowId, remarks: ['No worker polls.'] }, now);

    expect(lines).toEqual([`${workflowId}  not yet known`, '  No worker polls.']);
  });

  it('says that no worker serves the account, since when, and what to do', () => {
    const unserved = { account: 'blue', since: waiting.waiting?.since ?? '', advice: 'Start one.' };

    expect(unservedRemarks({ ...waiting, unserved })).toEqual([
      'No worker has served the account "blue" since 2026-05-04T03:02:01.000Z: the run waits. Start one.',
    ]);
    expect(unservedRemarks(waiting)).toEqual([]);
  });

  it('changes only the colours when colours are on', () => {
    const view = { workflowId, status: waiting, remarks: ['No worker polls.'] };

    const lines = renderStatus(view, now, coloured).map(toTerminalText);

    // eslint-disable-next-line no-control-regex -- colours are control characters
    const bare = lines.map((line) => line.replace(/\x1b\[\d+m/g, ''));
    expect(bare).toEqual(renderStatus(view, now));
    expect(bare).not.toEqual(lines);
  });
});

describe('describeFacts', () => {
  it('lists the started steps and the wait, without elapsed times', () => {
    const facts = describeFacts({ workflowId, status: waiting, remarks: [] });

    expect(facts.map(({ text }) => text)).toEqual([
      `create instance: waiting, task ${TASK}`,
      'waiting: task 3f2a91c0… RUNNING, usually within 30 s',
    ]);
  });

  it('reports a block once, however often the run tries again', () => {
    const commands = heldRunCommands(workflowId, blocked, hint);
    const later = { ...blocked, blocked: { ...blocked.blocked, nextCheckAt: at(122) } };

    const [first, second] = [blocked, later].map((status) =>
      describeFacts({ workflowId, status, remarks: [], commands }).at(-1),
    );

    expect(first?.text).toBe(
      `blocked since ${at(2)}: QuotaExceeded: The quota of 10 instances is used up. Ask for more.; ` +
        `tries again at ${at(62)}; continue it: gcore-workflows resume ${workflowId}; ` +
        `end it: gcore-workflows abort ${workflowId}`,
    );
    expect(second?.key).toBe(first?.key);
  });
});

describe('the failure of a run that undoes its work', () => {
  const failure = {
    type: FailureType.taskFailed,
    message: 'Task 7 ended in ERROR: no host.',
    advice: 'Ask the support.',
    since: at(0),
    step: 'create instance',
  };
  const status = { ...waiting, phase: Phase.rollingBack, failure };

  it('shows in the picture and among the facts', () => {
    const view = { workflowId, status, remarks: [] };

    expect(renderStatus(view, now)).toEqual(
      expect.arrayContaining([
        '  failed: TaskFailed',
        '  Task 7 ended in ERROR: no host.',
        '  Ask the support.',
      ]),
    );
    expect(describeFacts(view).map(({ text }) => text)).toContain(
      'failed: TaskFailed: Task 7 ended in ERROR: no host. Ask the support.',
    );
  });

  it('is left to the result once the run has ended', () => {
    const view = { workflowId, status: { ...status, phase: Phase.failed }, remarks: [] };

    expect(renderStatus(view, now).join()).not.toContain('TaskFailed');
  });
});
