import type { DetailsProgress } from '../../client/index.js';
import type { Session } from '../session.js';
import { messageOf } from './error-text.js';

const EVERY_MS = 5_000;

interface Told {
  io: { clock: Pick<Session['io']['clock'], 'now'> };
  progress: Pick<Session['progress'], 'notice'>;
  hint: Session['hint'];
}

/** Says on stderr how far the reading of details is, now and then, and of how many videos there are none. */
export function tellDetails({
  io: { clock },
  progress,
  hint,
}: Told): (details: DetailsProgress) => void {
  let nextAt = 0;
  return ({ asked, read, unread, error }) => {
    const isEnd = read + unread === asked;
    if (!isEnd && clock.now() < nextAt) return;
    nextAt = clock.now() + EVERY_MS;
    progress.notice(`Details of ${toText(read)} of ${videos(asked)} read`);
    if (!isEnd || unread === 0) return;
    const why = error === undefined ? 'stopped' : messageOf(error);
    progress.notice(`The results have no details of ${videos(unread)}: ${why}`);
    progress.notice(`Their lines have the ids. To read some of them: ${hint('videos', 'IDS')}`);
  };
}

function videos(count: number): string {
  return `${toText(count)} ${count === 1 ? 'video' : 'videos'}`;
}

function toText(count: number): string {
  return count.toLocaleString('en');
}
