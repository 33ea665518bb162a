import type { FC } from 'hono/jsx';

import { Time } from './page-layout.js';

/** Times in UTC as the product writes them, and what stands between backticks. */
const MARKED = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z|`[^`]{1,500}`)/;

/** A text of the product: its times in the reader's zone, its commands as code. */
export const RichText: FC<{ text: string }> = ({ text }) => (
  <>
    {text.split(MARKED).map((part, at) => {
      if (at % 2 === 0) return part;
      return part.startsWith('`') ? <code>{part.slice(1, -1)}</code> : <Time at={part} />;
    })}
  </>
);
