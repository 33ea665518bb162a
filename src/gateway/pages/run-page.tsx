import type { FC } from 'hono/jsx';

import { formatDuration } from '../../client/format-duration.js';
import { requestIdOfRun } from '../../contract/wire/names.js';
import type { Asked } from '../../engine/schema/status-document.js';
import { Operation } from '../../contract/index.js';
import { GROUP } from '../../engine/core/labels.js';
import { hasReport } from '../report-lines.js';
import { FailureTable, type ItemsSummary } from './failure-table.js';
import { pathOfPage, type PageAction } from './page-actions.js';
import { Ago, Copyable, Layout, TONE, Since, Time, type Shell } from './page-layout.js';
import { leftAt, ProgressLine, progressOf, type Progress } from './progress-line.js';
import { Facts, Input, Result, type WholeInput } from './run-data.js';
import { phaseOf, type RunPageModel } from './run-model.js';
import { Notices, Unanswered } from './run-notices.js';
import { Steps } from './run-steps.js';

interface RunPageProps {
  model: RunPageModel;
  /** All of the input, its secrets too. */
  whole: WholeInput;
  shell: Shell;
}

export const RunPage: FC<RunPageProps> = ({ model, whole, shell }) => {
  const { view, history } = model;
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
      <Input view={view} history={history} whole={whole} />
      <p id="live" class="live" role="status"></p>
    </Layout>
  );
};

/** What changes while the run goes on. */
export const RunMain: FC<{ model: RunPageModel }> = ({ model }) => {
  const { view, status, history, actions } = model;
  return (
    <>
      <Head model={model} />
      <div class="columns">
        <div>
          <Why model={model} />
          <HowFar model={model} />
          <Actions workflowId={view.workflowId} actions={actions} />
          {history === undefined && (
            <p class="soft">
              The Temporal server did not give the history in time, so input, result and calls are
              missing here. Load the page again.
            </p>
          )}
          <Result workflowId={view.workflowId} history={history} />
          <FailedItems model={model} />
          <StepsOf model={model} />
        </div>
        <aside aria-label="Facts">
          <FactsOf model={model} />
          <AskedList asked={status?.asked ?? []} />
        </aside>
      </div>
    </>
  );
};

const Head: FC<{ model: RunPageModel }> = ({ model }) => {
  const { view, history, now } = model;
  const phase = phaseOf(model);
  const startedAt = history?.startedAt ?? view.startedAt;
  return (
    <>
      <h1>
        <Copyable id="run" text={view.workflowId} label="the id of the run" />
      </h1>
      <p class="summary">
        <strong id="phase" class={`phase ${TONE[phase] ?? 'soft'}`}>
          {phase}
        </strong>{' '}
        {view.operation},{' '}
        {view.closedAt === undefined ? (
          <>
            for <Since at={startedAt} now={now} />
          </>
        ) : (
          <>
            ended <Ago at={view.closedAt} now={now} />, took{' '}
            {formatDuration(Date.parse(view.closedAt) - Date.parse(startedAt))}
          </>
        )}
      </p>
    </>
  );
};

const Why: FC<{ model: RunPageModel }> = ({ model }) => {
  const { view, status, explanation, history, now } = model;
  return (
    <>
      {explanation !== undefined || status === undefined ? (
        <Unanswered isEnded={view.isEnded} explanation={explanation} />
      ) : null}
      {status !== undefined && <Notices status={status} history={history} now={now} />}
    </>
  );
};

const HowFar: FC<{ model: RunPageModel }> = ({ model }) => {
  const { view, status, items, now } = model;
  if (view.isEnded || status === undefined) return null;
  const startedAt = status.steps.find((step) => step.startedAt !== undefined)?.startedAt;
  const counted =
    items &&
    itemProgress(items.counts, {
      elapsedMs: now - Date.parse(startedAt ?? view.startedAt),
      what: whatOf(view),
    });
  const progress = counted ?? progressOf(status, now);
  return progress === undefined ? null : (
    <ProgressLine progress={progress} label="How far the run is" />
  );
};

/** What the items of a bulk run are called. */
function whatOf({ operation }: RunPageModel['view']): string {
  return operation === Operation.importVideos ? 'videos' : 'items';
}

function itemProgress(
  counts: ItemsSummary['counts'],
  { elapsedMs, what }: { elapsedMs: number; what: string },
): Progress | undefined {
  const of = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const { pending = 0, open = 0, blocked = 0, untried = 0 } = counts;
  const done = of - pending - open - blocked - untried;
  if (of === 0) return undefined;
  return { done, of, what, leftMs: leftAt({ done, of }, elapsedMs) };
}

const Actions: FC<{ workflowId: string; actions: readonly PageAction[] }> = ({
  workflowId,
  actions,
}) =>
  actions.length === 0 ? null : (
    <nav aria-label="What you can do">
      <ul class="actions">
        {actions.map(({ name, label, hint, undoes }) => (
          <li>
            <a
              class={undoes ? 'button bad' : 'button'}
              id={`do-${name}`}
              href={`${pathOfPage(workflowId)}/${name}`}
              aria-describedby={`hint-${name}`}
            >
              {label} …
            </a>
            <span id={`hint-${name}`} class="soft small">
              {hint}
            </span>
          </li>
        ))}
      </ul>
    </nav>
  );

const FailedItems: FC<{ model: RunPageModel }> = ({ model }) => {
  const { view, status, items } = model;
  if (!hasReport(view.operation)) return null;
  if (items === undefined) {
    return status === undefined ? (
      <p class="soft">What became of each item only a worker can tell, and none answers.</p>
    ) : null;
  }
  const { counts, failures } = items;
  const path = pathOfPage(view.workflowId);
  const known = Object.entries(counts).filter(([, count]) => count > 0);
  return (
    <section aria-labelledby="items">
      <h2 id="items">{whatOf(view) === 'videos' ? 'Videos' : 'Items'}</h2>
      <p>{known.map(([outcome, count]) => `${count} ${outcome}`).join(', ')}</p>
      {failures.length > 0 && <FailureTable groups={failures} which="Lines" />}
      <p>
        {failures.length > 0 && (
          <>
            The failed ones: <a href={`${path}/failed.csv`}>CSV</a>,{' '}
            <a href={`${path}/failed.jsonl`}>JSON Lines</a>.{' '}
          </>
        )}
        All: <a href={`${path}/report.csv`}>CSV</a>, <a href={`${path}/report.jsonl`}>JSON Lines</a>
        <RunsOfBatch model={model} />
      </p>
    </section>
  );
};

/** A batch and its runs have one group. */
const RunsOfBatch: FC<{ model: RunPageModel }> = ({ model: { view, status } }) => {
  const group = status?.labels?.[GROUP];
  if (view.operation !== Operation.runBatch || group === undefined) return null;
  return (
    <>
      . <a href={`/runs?label=${encodeURIComponent(`${GROUP}=${group}`)}`}>Its runs</a>
    </>
  );
};

const StepsOf: FC<{ model: RunPageModel }> = ({ model }) => {
  const { view, steps, history, now } = model;
  const { spans = [], isCut = false } = history ?? {};
  if (steps.length === 0 && spans.length === 0) return null;
  const from = Date.parse(history?.startedAt ?? view.startedAt);
  const to = view.closedAt === undefined ? now : Date.parse(view.closedAt);
  return <Steps steps={steps} spans={spans} isCut={isCut} scale={{ from, to }} now={now} />;
};

const FactsOf: FC<{ model: RunPageModel }> = ({ model: { view, history, temporalUrl } }) => {
  const { workflowId, operation, account, closedAt, state } = view;
  const requestId = requestIdOfRun(workflowId);
  const { startedAt = view.startedAt, startedBy } = history ?? {};
  const rows = [
    { name: 'operation', value: operation },
    { name: 'account', value: account },
    ...(requestId === undefined ? [] : [{ name: 'request id', value: requestId, isId: true }]),
    { name: 'started', value: startedAt, isTime: true },
    ...(startedBy?.by === undefined ? [] : [{ name: 'started by', value: startedBy.by }]),
    ...(closedAt === undefined ? [] : [{ name: 'ended', value: closedAt, isTime: true }]),
    { name: 'state at Temporal', value: state },
  ];
  return (
    <>
      <h2>Facts</h2>
      <Facts rows={rows} />
      {temporalUrl !== undefined && (
        <p>
          <a href={temporalUrl}>This run in the Temporal UI</a>
        </p>
      )}
    </>
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
