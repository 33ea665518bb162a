import { answerOf } from './kept-answers.js';

/** Two of their reads fail where each third one does. */
const PAGES = 5;

/** Full pages of a cloud list, of an API that ignores the filter. */
export function pages(
  toRow: (at: number) => unknown,
  rows = 'results',
): (request: Request) => Response {
  return answerOf(({ url }) => {
    const offset = Number(new URL(url).searchParams.get('offset'));
    const left = Math.min(PAGES * 1_000 - offset, 1_000);
    const found = Array.from({ length: left }, (_, at) => toRow(offset + at));
    return { count: PAGES * 1_000, [rows]: found };
  });
}

export function snapshots(): (request: Request) => Response {
  return pages((at) => ({
    id: `snapshot-${at}`,
    status: 'available',
    volume_id: `v-${at}`,
    created_at: '2026-05-01T12:00:00Z',
  }));
}
