import { describe, expect, it } from '@jest/globals';

import { NO_BREAK, plain, toTerminalText } from '../../../src/cli/output/terminal-text.js';
import {
  createJsonProgress,
  createLineProgress,
  createLiveBlock,
  createLiveProgress,
  type ProgressOptions,
} from '../../../src/cli/watch/progress.js';
import { createScreen } from './screen.js';
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

describe.each([
  ['createLineProgress', createLineProgress],
  ['createJsonProgress', createJsonProgress],
])('%s', (_name, create) => {
  it('tells a remark that comes and goes every ten minutes only', () => {
    const { options, pass, text } = capture();
    const progress = create(options);
    const SECONDS = 15 * 60;

    for (let second = 0; second < SECONDS; second++) {
      const remarks = second % 10 < 5 ? ['Nobody answers.'] : [];
      progress.show({ workflowId, status: waiting, remarks });
      pass(1_000);
    }

    expect(text().split('Nobody answers.')).toHaveLength(1 + 2);
  });
});

describe('createLiveProgress', () => {
  it('draws over the last view', () => {
    const { options, text } = capture();
    const progress = createLiveProgress(options);

    progress.show({ workflowId, status: waiting, remarks: [] });
    const first = text();
    progress.show({ workflowId, status: succeeded, remarks: [] });

    expect(first).not.toContain('\x1b');
    expect(text().slice(first.length)).toMatch(/^\x1b\[5A\x1b\[0J/); // eslint-disable-line no-control-regex
  });

  it('keeps a notice above the view', () => {
    const { options, text } = capture();
    const progress = createLiveProgress(options);
    progress.show({ workflowId, remarks: [] });
    const before = text().length;

    progress.notice('Stopping.');

    const picture = `${workflowId}  not yet known\n`;
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

describe('a live block', () => {
  const command =
    `./gcore-workflows abort ${workflowId} --address temporal.example:7233`.replaceAll(
      ' ',
      NO_BREAK,
    );
  const views = [
    [
      'create instance  waiting',
      'blocked: the quota of the region is used up, and it was asked to wait',
    ],
    [`end it: ${command}`, 'x'.repeat(80), 'short'],
    ['create instance  done'],
  ];

  it.each([40, 80, 200])('leaves nothing of the views before on %d columns', (columns) => {
    const screen = createScreen(columns);
    const draw = createLiveBlock({
      write: (text) => {
        screen.write(toTerminalText(text));
      },
      size: () => ({ columns, rows: 24 }),
    });

    screen.write('Run x\n');
    for (const lines of [...views, ...views]) draw(lines);

    expect(screen.rows()).toEqual(['Run x', 'create instance  done', '']);
  });

  it.each([40, 80, 200])('holds commands whole on %d columns', (columns) => {
    const screen = createScreen(columns);
    const draw = createLiveBlock({
      write: (text) => {
        screen.write(toTerminalText(text));
      },
      size: () => ({ columns, rows: 24 }),
    });

    for (const lines of [...views].reverse()) draw(lines);
    draw([`end it: ${command}`]);

    expect(screen.rows().join('')).toContain(toTerminalText(command));
  });

  it('draws no more than the screen holds, and all of it at the end', () => {
    const screen = createScreen(40, 6);
    const draw = createLiveBlock({
      write: (text) => {
        screen.write(toTerminalText(text));
      },
      size: () => ({ columns: 40, rows: 6 }),
    });
    const lines = ['first', 'y'.repeat(100), 'a', 'b', 'c', 'last'];

    screen.write('Run x\n');
    draw(lines);
    draw(lines);
    expect(screen.rows()).toEqual(['Run x', 'first', ...cut(lines[1] ?? '', 40), 'a', '']);

    draw(lines, { whole: true });
    expect(screen.rows()).toEqual([
      'Run x',
      'first',
      ...cut(lines[1] ?? '', 40),
      'a',
      'b',
      'c',
      'last',
      '',
    ]);
  });
});

/** As a terminal breaks a word. */
function cut(text: string, columns: number): string[] {
  return text.length <= columns
    ? [text]
    : [text.slice(0, columns), ...cut(text.slice(columns), columns)];
}

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
