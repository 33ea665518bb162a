import { formatDuration } from '../../client/format-duration.js';
import type { CliStream, Clock } from '../cli-io.js';
import { describeFacts, elapsedOf, renderStatus, type RunView } from '../output/render-status.js';
import { terminalCode, type Paint } from '../output/terminal-text.js';

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
      stream.write(`${text}\n`);
      block(drawn);
    },
    show(view) {
      drawn = renderStatus(view, clock.now(), paint);
      block(drawn);
    },
    end() {
      drawn = [];
      block = createLiveBlock(stream);
    },
  };
}

/** Writes one line per change, for log files and pipes. */
export function createLineProgress({ stream, clock }: ProgressOptions): Progress {
  let known: ReadonlySet<string> = new Set();
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
      known = new Set(facts.map(({ key }) => key));
    },
    end() {
      // Nothing to close.
    },
  };
}

/** Writes one JSON object per line: `{"notice": …}` or `{"status": …}`, for programs. */
export function createJsonProgress({ stream }: ProgressOptions): Progress {
  let knownStatus = '';
  let knownRemarks: readonly string[] = [];
  const notice = (text: string): void => {
    stream.write(`${JSON.stringify({ notice: text })}\n`);
  };
  return {
    notice,
    show({ status, remarks }) {
      const line = status === undefined ? '' : `${JSON.stringify({ status })}\n`;
      if (line !== knownStatus) stream.write(line);
      knownStatus = line;
      remarks.filter((remark) => !knownRemarks.includes(remark)).forEach(notice);
      knownRemarks = remarks;
    },
    end() {
      // Nothing to close.
    },
  };
}

/** Draws lines at the end of a terminal, in place of those that it has drawn last. */
export type LiveBlock = (lines: readonly string[]) => void;

export function createLiveBlock(stream: Pick<CliStream, 'write'>): LiveBlock {
  let drawn = 0;
  return (lines) => {
    const back = drawn === 0 ? '' : terminalCode(`${drawn}A`) + terminalCode('0J');
    // Long lines are cut: wrapped ones would make the count of lines wrong.
    const block =
      lines.length === 0 ? '' : `${terminalCode('?7l')}${lines.join('\n')}\n${terminalCode('?7h')}`;
    stream.write(back + block);
    drawn = lines.length;
  };
}
