import type { FC } from 'hono/jsx';

import { TONE } from './page-layout.js';

interface PhaseCountsProps {
  counts: readonly { phase: string; count: number }[];
  /** The list of a phase alone. */
  href: (phase: string) => string;
  /** The phase that is shown alone now. */
  chosen?: string | undefined;
}

/** How many runs are in each phase, each a link to them. */
export const PhaseCounts: FC<PhaseCountsProps> = ({ counts, href, chosen }) =>
  counts.length === 0 ? null : (
    <ul class="counts" aria-label="Runs by phase">
      {counts.map(({ phase, count }) => (
        <li>
          <a
            id={`count-${phase}`}
            class={`count ${TONE[phase] ?? 'soft'}`}
            href={href(phase)}
            {...(phase === chosen ? { 'aria-current': 'true' } : {})}
          >
            <strong>{count}</strong> {phase}
          </a>
        </li>
      ))}
    </ul>
  );
