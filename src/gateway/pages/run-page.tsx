import type { FC } from 'hono/jsx';

import { formatDuration } from '../../client/format-duration.js';
import type { Explanation } from '../../client/index.js';
import type { StatusDocument } from '../../contract/index.js';
import { StepState } from '../../engine/core/status.js';
import type { StepStatus, Asked } from '../../engine/schema/status-document.js';
import type { RunView } from '../status-board.js';
import { pathOfPage, type PageAction } from './page-actions.js';
import { Copyable, Layout, TONE, Since, Time, type Shell } from './page-layout.js';
import { Notices, Unanswered } from './run-notices.js';

export interface RunPageModel {
  view: RunView;
  /** Missing when no worker answers. */
  status: StatusDocument | undefined;
  /** What is known without a worker. */
  explanation?: Pick<Explanation, 'paragraph' | 'next'> | undefined;
  actions: readonly PageAction[];
  /** Of the run in the Temporal UI. */
  temporalUrl?: string | undefined;
  now: number;
}

export const RunPage: FC<{ model: RunPageModel; shell: Shell }> = ({ model, shell }) => {
  const { view } = model;
  const path = pathOfPage(view.workflowId);
  return (
    <Layout
      title={`${phaseOf(model)}: ${view.workflowId}`}
      reloadAfter={view.isEnded ? undefined : 10}
      {...shell}
    >
      <div
        id="run"
        data-part={`${path}?part=run`}
        data-tag={view.document?.tag ?? ''}
        {...(view.isEnded ? {} : { 'data-live': `${path}/live` })}
      >
        <RunMain model={model} />
      </div>
      <p id="live" class="live" role="status"></p>
    </Layout>
  );
};

/** What changes while the run goes on. */
export const RunMain: FC<{ model: RunPageModel }> = ({ model }) => {
  const { view, status, explanation, actions, temporalUrl, now } = model;
  const phase = phaseOf(model);
  return (
    <>
      <h1>
        <Copyable id="run" text={view.workflowId} label="the id of the run" />
      </h1>
      <p>
        <strong id="phase" class={`phase ${TONE[phase] ?? 'soft'}`}>
          {phase}
        </strong>{' '}
        {view.operation}
      </p>
      {status === undefined ? (
        <Unanswered isEnded={view.isEnded} explanation={explanation} />
      ) : (
        <Notices status={status} now={now} />
      )}
      <Actions workflowId={view.workflowId} actions={actions} />
      {status !== undefined && <Steps steps={status.steps} now={now} />}
      <AskedList asked={status?.asked ?? []} />
      {temporalUrl !== undefined && (
        <p>
          <a href={temporalUrl}>This run in the Temporal UI</a>
        </p>
      )}
    </>
  );
};

/** A run that was ended from outside could not say so itself. */
function phaseOf({ view, status }: Pick<RunPageModel, 'view' | 'status'>): string {
  if (view.state === 'TERMINATED') return 'terminated';
  if (view.state === 'TIMED_OUT') return 'timed-out';
  return status?.phase ?? (view.isEnded ? view.state.toLowerCase() : 'unknown');
}

const Actions: FC<{ workflowId: string; actions: readonly PageAction[] }> = ({
  workflowId,
  actions,
}) =>
  actions.length === 0 ? null : (
    <nav aria-label="What you can do">
      <ul class="actions">
        {actions.map(({ name, label, undoes }) => (
          <li>
            <a
              class={undoes ? 'button bad' : 'button'}
              id={`do-${name}`}
              href={`${pathOfPage(workflowId)}/${name}`}
            >
              {label} …
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );

/** The steps of a run as a time line. */
const Steps: FC<{ steps: readonly StepStatus[]; now: number }> = ({ steps, now }) => (
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

/** Who has asked what of the run, the newest first. */
const AskedList: FC<{ asked: readonly Asked[] }> = ({ asked }) =>
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
