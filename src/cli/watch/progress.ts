import { formatDuration } from '../../client/format-duration.js';
import type { CliStream, Clock } from '../cli-io.js';
import { describeFacts, elapsedOf, renderStatus, type RunView } from '../output/render-status.js';
import { fit } from '../output/fit.js';
import { oneLine, terminalCode, widthOf, type Paint } from '../output/terminal-text.js';

/** Shows on stderr what happens while a command runs. */
export interface Progress {
  /** Writes a line that stays. */
  notice: (text: string) => void;
  /** Shows the current view of a run. */
  show: (view: RunView) => void;
  /** Leaves the last view on the screen. */
  end: () => void;
}

export interface ProgressOptions {
  stream: CliStream;
  clock: Pick<Clock, 'now'>;
  paint: Paint;
}

/** Redraws one block at the end of the terminal. */
export function createLiveProgress({ stream, clock, paint }: ProgressOptions): Progress {
  let block = createLiveBlock(stream);
  let drawn: string[] = [];
  return {
    notice(text) {
      block([]);
      stream.write(`${fit([text], stream.size?.().columns).join('\n')}\n`);
      block(drawn);
    },
    show(view) {
      drawn = renderStatus(view, clock.now(), paint);
      block(drawn);
    },
    end() {
      // All of it stays, also what was below the screen.
      block(drawn, { whole: true });
      drawn = [];
      block = createLiveBlock(stream);
    },
  };
}

/** Writes one line per change, for log files and pipes. */
export function createLineProgress({ stream, clock }: ProgressOptions): Progress {
  let known: ReadonlySet<string> = new Set();
  const newRemarks = createNewRemarks(clock);
  return {
    notice(text) {
      stream.write(`${text}\n`);
    },
    show(view) {
      const facts = describeFacts(view);
      const elapsed = view.status && elapsedOf(view.status, clock.now());
      const stamp = elapsed === undefined ? '' : `[${formatDuration(elapsed)}] `;
      for (const { key, text } of facts) {
        if (!known.has(key)) stream.write(`${stamp}${text}\n`);
      }
      for (const remark of newRemarks(view.remarks)) stream.write(`${stamp}${oneLine(remark)}\n`);
      known = new Set(facts.map(({ key }) => key));
    },
    end() {
      // Nothing to close.
    },
  };
}

/** Writes one JSON object per line: `{"notice": …}` or `{"status": …}`, for programs. */
export function createJsonProgress({ stream, clock }: ProgressOptions): Progress {
  let knownStatus = '';
  const newRemarks = createNewRemarks(clock);
  const notice = (text: string): void => {
    stream.write(`${JSON.stringify({ notice: text })}\n`);
  };
  return {
    notice,
    show({ status, remarks }) {
      const line = status === undefined ? '' : `${JSON.stringify({ status })}\n`;
      if (line !== knownStatus) stream.write(line);
      knownStatus = line;
      newRemarks(remarks).forEach(notice);
    },
    end() {
      // Nothing to close.
    },
  };
}

const SAME_REMARK_AFTER_MS = 10 * 60_000;

/** The remarks that have just come. What comes and goes, such as a busy worker, is told every ten minutes only. */
function createNewRemarks({ now }: ProgressOptions['clock']) {
  let shown: readonly string[] = [];
  const toldAt = new Map<string, number>();
  return (remarks: readonly string[]): string[] => {
    const fresh = remarks.filter((remark) => {
      const isLate = now() - (toldAt.get(remark) ?? -Infinity) >= SAME_REMARK_AFTER_MS;
      return !shown.includes(remark) && isLate;
    });
    for (const remark of fresh) toldAt.set(remark, now());
    shown = remarks;
    return fresh;
  };
}

/**
 * Draws lines at the end of a terminal, in place of those that it has drawn last. What has left the screen cannot be
 * drawn over, so it draws what fits on the screen, or the `whole` once there is nothing more to draw.
 */
export type LiveBlock = (lines: readonly string[], options?: { whole?: boolean }) => void;

export function createLiveBlock({ write, size }: Pick<CliStream, 'write' | 'size'>): LiveBlock {
  let drawn: readonly string[] = [];
  let isCut = false;
  return (lines, { whole = false } = {}) => {
    const { columns, rows = Infinity } = size?.() ?? {};
    // A terminal that is narrower now has broken the old lines anew.
    const height = rowsOf(drawn, columns);
    const back = height === 0 ? '' : terminalCode(`${height}A`) + terminalCode('0J');
    const fitted = fit(lines, columns);
    const shown = whole ? fitted : firstRows(fitted, rows - 1, columns);
    if (whole && !isCut) return;
    write(back + shown.map((line) => `${line}\n`).join(''));
    drawn = shown;
    isCut = shown.length < fitted.length;
  };
}

/** How many rows of the screen lines take: the terminal breaks what is wider than it. */
function rowsOf(lines: readonly string[], columns = Infinity): number {
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)), 0);
}

function firstRows(lines: readonly string[], rows: number, columns?: number): readonly string[] {
  const end = lines.findIndex((_line, at) => rowsOf(lines.slice(0, at + 1), columns) > rows);
  return end === -1 ? lines : lines.slice(0, Math.max(1, end));
}
