import { describe, expect, it } from '@jest/globals';

import { plain, toTerminalText } from '../../../src/cli/output/terminal-text.js';
import {
  createJsonProgress,
  createLineProgress,
  createLiveProgress,
  type ProgressOptions,
} from '../../../src/cli/watch/progress.js';
import { START, succeeded, TASK, waiting } from '../../support/cli/status-documents.js';

const workflowId = 'provision-instance/default/order-4711';

function capture() {
  const written: string[] = [];
  let now = START + 10_000;
  const options: ProgressOptions = {
    stream: { write: (text) => written.push(text), isTty: true, hasColors: false },
    clock: { now: () => now },
    paint: plain,
  };
  const pass = (ms: number): void => {
    now += ms;
  };
  return { options, pass, text: () => toTerminalText(written.join('')) };
}

describe('createLineProgress', () => {
  it('writes one line per change, with the time since the start', () => {
    const { options, pass, text } = capture();
    const progress = createLineProgress(options);

    progress.show({ workflowId, status: waiting, remarks: [] });
    pass(1_000);
    progress.show({ workflowId, status: waiting, remarks: ['No worker polls.'] });
    pass(1_000);
    progress.show({ workflowId, status: waiting, remarks: ['No worker polls.'] });

    expect(text().split('\n')).toEqual([
      `[10 s] create instance: waiting, task ${TASK}`,
      '[10 s] waiting: task 3f2a91c0… RUNNING, usually within 30 s',
      '[11 s] No worker polls.',
      '',
    ]);
  });
});

describe('createLiveProgress', () => {
  it('draws over the last view, whose lines do not wrap', () => {
    const { options, text } = capture();
    const progress = createLiveProgress(options);

    progress.show({ workflowId, status: waiting, remarks: [] });
    const first = text();
    progress.show({ workflowId, status: succeeded, remarks: [] });

    expect(first).toMatch(/^\x1b\[\?7l[^\x1b]+\n\x1b\[\?7h$/); // eslint-disable-line no-control-regex
    expect(text().slice(first.length)).toMatch(/^\x1b\[5A\x1b\[0J/); // eslint-disable-line no-control-regex
  });

  it('keeps a notice above the view', () => {
    const { options, text } = capture();
    const progress = createLiveProgress(options);
    progress.show({ workflowId, remarks: [] });
    const before = text().length;

    progress.notice('Stopping.');

    const picture = `\x1b[?7l${workflowId}  not yet known\n\x1b[?7h`;
    expect(text().slice(before)).toBe(`\x1b[1A\x1b[0JStopping.\n${picture}`);
  });

  it('leaves the last view on the screen', () => {
    const { options, text } = capture();
    const progress = createLiveProgress(options);
    progress.show({ workflowId, remarks: [] });
    const before = text().length;

    progress.end();
    progress.notice('Stopping.');

    expect(text().slice(before)).toBe('Stopping.\n');
  });
});

describe('createJsonProgress', () => {
  it('writes one object per change', () => {
    const { options, text } = capture();
    const progress = createJsonProgress(options);

    progress.notice('Run x');
    progress.show({ workflowId, status: waiting, remarks: [] });
    progress.show({ workflowId, status: waiting, remarks: ['No worker polls.'] });

    const lines = text().trimEnd().split('\n');
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
      { notice: 'Run x' },
      { status: waiting },
      { notice: 'No worker polls.' },
    ]);
  });
});
