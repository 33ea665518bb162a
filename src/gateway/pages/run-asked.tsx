import type { FC } from 'hono/jsx';

import type { Asked } from '../../engine/schema/status-document.js';
import { Time } from './page-layout.js';

/** Who has asked what of the run, the newest first. */
export const AskedList: FC<{ asked: readonly Asked[] }> = ({ asked }) =>
  asked.length === 0 ? null : (
    <section id="asked" aria-label="Who asked what">
      <h2>Who asked what</h2>
      <ul>
        {asked.toReversed().map(({ for: what, by, at, times }) => (
          <li>
            {what} by {by}, <Time at={at} />
            {times !== undefined && <>, the last of {times} times</>}
          </li>
        ))}
      </ul>
    </section>
  );
