import type { FC } from 'hono/jsx';

import { formatDuration } from '../../client/format-duration.js';
import type { StepStatus } from '../../engine/schema/status-document.js';
import { StepState } from '../../engine/core/status.js';
import { Copyable, Since, Time } from './page-layout.js';

/** The steps of a run as a time line. */
export const Steps: FC<{ steps: readonly StepStatus[]; now: number }> = ({ steps, now }) => (
  <section aria-labelledby="steps">
    <h2 id="steps">Steps</h2>
    <ol class="steps">
      {steps.map((step) => (
        <Step step={step} now={now} />
      ))}
    </ol>
  </section>
);

const SIGNS: Record<StepState, { sign: string; tone: string }> = {
  [StepState.planned]: { sign: '·', tone: 'soft' },
  [StepState.sending]: { sign: '→', tone: 'busy' },
  [StepState.accepted]: { sign: '→', tone: 'busy' },
  [StepState.outcomeUnknown]: { sign: '?', tone: 'bad' },
  [StepState.waiting]: { sign: '…', tone: 'busy' },
  [StepState.verified]: { sign: '✓', tone: 'good' },
  [StepState.failed]: { sign: '✗', tone: 'bad' },
  [StepState.undone]: { sign: '↶', tone: 'soft' },
  [StepState.kept]: { sign: '!', tone: 'bad' },
};

const Step: FC<{ step: StepStatus; now: number }> = ({ step, now }) => {
  const { name, state, startedAt, endedAt, note } = step;
  const { sign, tone } = SIGNS[state];
  return (
    <li>
      <span class={`sign ${tone}`} aria-hidden="true">
        {sign}
      </span>
      <span class="step-name">{name}</span>: <span class={tone}>{state}</span>
      {startedAt !== undefined && (
        <span class="soft">
          {' '}
          <Time at={startedAt} />,{' '}
          {endedAt === undefined ? (
            <Since at={startedAt} now={now} />
          ) : (
            formatDuration(Date.parse(endedAt) - Date.parse(startedAt))
          )}
        </span>
      )}
      {note !== undefined && <p>{note}</p>}
      <Ids step={step} />
    </li>
  );
};

/** What a person looks for at the API. */
const Ids: FC<{ step: StepStatus }> = ({ step: { name, taskIds, resources } }) => {
  const ids = [...taskIds.map((id) => ({ kind: 'task', id })), ...resources];
  if (ids.length === 0) return null;
  return (
    <ul class="ids">
      {ids.map(({ kind, id }) => (
        <li>
          <span>{kind}</span>
          <Copyable id={`${name}-${id}`} text={id} label={`the id of the ${kind}`} />
        </li>
      ))}
    </ul>
  );
};
