import type { CliStream } from '../cli-io.js';
import { terminalCode } from '../output/terminal-text.js';

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
