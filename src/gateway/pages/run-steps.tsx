import type { FC } from 'hono/jsx';

import { formatDuration } from '../../client/format-duration.js';
import type { HistorySpan } from '../../client/index.js';
import { STEP_SIGNS, type StepTone } from '../../client/step-signs.js';
import type { StepStatus } from '../../engine/schema/status-document.js';
import { pathOfPage } from './page-actions.js';
import { Copyable, Since, Time } from './page-layout.js';
import { RichText } from './rich-text.js';
import { assignSpans, type Assigned } from './step-spans.js';

/** The time that the bars show; milliseconds since the epoch. */
export interface Scale {
  from: number;
  to: number;
}

interface StepsProps {
  steps: readonly StepStatus[];
  spans: readonly HistorySpan[];
  /** The history is longer than what was read of it. */
  isCut: boolean;
  scale: Scale;
  now: number;
}

/** The steps of a run in its time, and what each has waited for. */
export const Steps: FC<StepsProps> = ({ steps, spans, isCut, scale, now }) => {
  const { ofSteps, others } = assignSpans(steps, spans, scale);
  return (
    <section aria-labelledby="steps">
      <h2 id="steps">Steps</h2>
      {steps.length === 0 && (
        <p class="soft">
          The steps are known to a worker only. These are the calls of its history:
        </p>
      )}
      <ol class="steps">
        {steps.map((step, at) => (
          <Step step={step} waits={ofSteps[at] ?? NONE} scale={scale} now={now} />
        ))}
      </ol>
      {steps.length === 0 && <Waits waits={others} scale={scale} />}
      {isCut && <p class="soft">Only the newest calls are shown. The Temporal UI has them all.</p>}
    </section>
  );
};

/** Tenths tell short calls apart. */
function formatShort(ms: number): string {
  if (ms < 50) return '< 0.1 s';
  return ms < 9_950 ? `${(ms / 1_000).toFixed(1)} s` : formatDuration(ms);
}

const NONE: Assigned = { shown: [], more: 0 };

interface StepProps {
  step: StepStatus;
  waits: Assigned;
  scale: Scale;
  now: number;
}

const Step: FC<StepProps> = ({ step, waits, scale, now }) => {
  const { name, state, startedAt, endedAt, note } = step;
  const { sign, tone } = STEP_SIGNS[state];
  return (
    <li>
      <span class={`sign ${tone}`} aria-hidden="true">
        {sign}
      </span>
      <div class="step-head">
        <span>
          <span class="step-name">{name}</span>: <span class={tone}>{state}</span>
        </span>
        {startedAt !== undefined && (
          <span class="soft took">
            {endedAt === undefined ? (
              <Since at={startedAt} now={now} />
            ) : (
              formatShort(Date.parse(endedAt) - Date.parse(startedAt))
            )}
          </span>
        )}
      </div>
      {startedAt !== undefined && <Bar from={startedAt} to={endedAt} tone={tone} scale={scale} />}
      {note !== undefined && (
        <p>
          <RichText text={note} />
        </p>
      )}
      <Ids step={step} />
      <Waits waits={waits} scale={scale} />
      {startedAt !== undefined && (
        <p class="soft small">
          <Time at={startedAt} />
        </p>
      )}
    </li>
  );
};

const WIDTH = 1_000;
/** What is too short to be seen at this scale is seen all the same. */
const LEAST = 4;

interface BarProps {
  from: string;
  to: string | undefined;
  tone: StepTone;
  scale: Scale;
}

/** Attributes of SVG, because the policy of the page lets in no style of an element. */
const Bar: FC<BarProps> = ({ from, to, tone, scale }) => {
  const total = Math.max(1, scale.to - scale.from);
  const place = (at: number): number =>
    Math.round((Math.min(Math.max(at - scale.from, 0), total) / total) * WIDTH);
  const end = place(to === undefined ? scale.to : Date.parse(to));
  const start = Math.min(place(Date.parse(from)), WIDTH - LEAST);
  return (
    <svg class="bar" viewBox={`0 0 ${WIDTH} 8`} preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" width={WIDTH} height="8"></rect>
      <rect class={`fill-${tone}`} x={start} width={Math.max(LEAST, end - start)} height="8"></rect>
    </svg>
  );
};

const END_TONE: Record<NonNullable<HistorySpan['end']>, StepTone> = {
  done: 'soft',
  failed: 'bad',
  cancelled: 'soft',
};

const Waits: FC<{ waits: Assigned; scale: Scale }> = ({ waits: { shown, more }, scale }) =>
  shown.length === 0 ? null : (
    <ul class="waits" aria-label="Calls and waits">
      {shown.map((span) => (
        <li>
          <div class="step-head">
            <span>
              {span.workflowId === undefined ? (
                <RichText text={span.name} />
              ) : (
                <a href={pathOfPage(span.workflowId)}>{span.name}</a>
              )}
              {span.attempts !== undefined && `, ${span.attempts} attempts`}
              {span.end === 'failed' && <span class="bad"> failed</span>}
            </span>
            <span class="soft took">
              {span.to === undefined ? (
                <Since at={span.from} now={scale.to} />
              ) : (
                formatShort(Date.parse(span.to) - Date.parse(span.from))
              )}
            </span>
          </div>
          <Bar
            from={span.from}
            to={span.to}
            tone={span.end === undefined ? 'busy' : END_TONE[span.end]}
            scale={scale}
          />
        </li>
      ))}
      {more > 0 && <li class="soft">and {more} shorter</li>}
    </ul>
  );

/** What a person looks for at the API. */
const Ids: FC<{ step: StepStatus }> = ({ step: { name, taskIds, resources } }) => {
  const ids = [...taskIds.map((id) => ({ kind: 'task', id })), ...resources];
  if (ids.length === 0) return null;
  return (
    <ul class="ids">
      {ids.map(({ kind, id }) => (
        <li>
          <span class="soft">{kind}</span>
          <Copyable id={`${name}-${id}`} text={id} label={`the id of the ${kind}`} />
        </li>
      ))}
    </ul>
  );
};
