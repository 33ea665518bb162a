import type { FC } from 'hono/jsx';

import type { Explanation } from '../../client/index.js';
import type { StatusDocument } from '../../contract/index.js';
import type { RunView } from '../runs/status-board.js';
import type { PageAction } from './page-actions.js';
import { Copyable, Layout, type Shell } from './page-layout.js';
import { pathOfPage } from './page-paths.js';
import { TONE } from './phase-tone.js';
import { Notices, Unanswered } from './run-notices.js';
import { AskedList } from './run-asked.js';
import { Steps } from './run-steps.js';

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
