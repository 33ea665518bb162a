import type { FC } from 'hono/jsx';

import { formatDuration } from '../../client/format-duration.js';
import { LISTED_PHASES } from '../../client/run-filter.js';
import { Operation } from '../../contract/index.js';
import { requestIdOfRun } from '../../contract/wire/names.js';
import type { ListedRun, ListPageModel } from './list-model.js';
import { pathOfPage } from './page-actions.js';
import { Ago, Layout, Since, Time, TONE, Until, type Shell } from './page-layout.js';
import { PhaseCounts } from './phase-counts.js';

/** Seconds between two looks of a page that is on the screen. */
const EVERY_S = 15;

export const ListPage: FC<{ model: ListPageModel; shell: Shell }> = ({ model, shell }) => (
  <Layout title="Runs" reloadAfter={60} {...shell}>
    <h1>Runs</h1>
    <Filter given={model.given} />
    <div id="list" data-part={pathWith(model.given, { part: 'list' })} data-every={EVERY_S}>
      <ListMain model={model} />
    </div>
    <p id="live" class="live" role="status"></p>
  </Layout>
);

/** What changes while the page is open. */
export const ListMain: FC<{ model: ListPageModel }> = ({ model }) => {
  const { counts, urgent, runs, next, given, now } = model;
  return (
    <>
      <PhaseCounts
        counts={counts}
        href={(phase) => pathWith(given, { phase, page: '' })}
        chosen={given['phase']}
      />
      {urgent.length > 0 && (
        <section aria-labelledby="urgent">
          <h2 id="urgent">Blocked, or failed in the last day</h2>
          <Runs runs={urgent} now={now} />
        </section>
      )}
      <section aria-labelledby="all">
        <h2 id="all">
          {urgent.length > 0 ? 'The others' : 'All'}: open first, then the last to end
        </h2>
        {runs.length === 0 ? <NoRuns given={given} /> : <Runs runs={runs} now={now} />}
      </section>
      {next !== undefined && (
        <p>
          <a class="button" id="older" href={pathWith(given, { page: next })}>
            Older runs
          </a>
        </p>
      )}
    </>
  );
};

/** The list with the same filter, but for these fields; an empty one is left out. */
function pathWith(
  given: Readonly<Record<string, string>>,
  fields: Readonly<Record<string, string>>,
): string {
  const query = Object.entries({ ...given, ...fields }).filter(([, value]) => value !== '');
  return query.length === 0 ? '/runs' : `/runs?${new URLSearchParams(query).toString()}`;
}

const NoRuns: FC<{ given: Readonly<Record<string, string>> }> = ({ given }) => (
  <>
    <p>No run here. A new run shows some seconds late.</p>
    {given['search'] !== undefined && given['account'] === undefined && (
      <p class="soft">
        A request id or an address is looked for in the account "default": name another one above.
      </p>
    )}
  </>
);

const Runs: FC<{ runs: readonly ListedRun[]; now: number }> = ({ runs, now }) => (
  <ul class="runs">
    {runs.map((run) => (
      <RunRow run={run} now={now} />
    ))}
  </ul>
);

const RunRow: FC<{ run: ListedRun; now: number }> = ({ run, now }) => {
  const { workflowId, operation, reason, protectedUntil, startedAt, closedAt } = run;
  const phase = protectedUntil === undefined ? run.phase : 'protected';
  return (
    <li>
      <span class={`row-phase ${TONE[phase] ?? 'soft'}`}>{phase}</span>
      <span class="row-id">
        <a id={`run-${workflowId}-${startedAt.getTime()}`} href={pathOfPage(workflowId)}>
          <IdText workflowId={workflowId} />
        </a>{' '}
        {requestIdOfRun(workflowId) === undefined && <span class="soft small">{operation}</span>}
      </span>
      <span class="row-time soft small">
        {closedAt === undefined ? (
          <>
            open for <Since at={startedAt.toISOString()} now={now} />
          </>
        ) : (
          <>
            ended <Ago at={closedAt.toISOString()} now={now} />, took{' '}
            {formatDuration(closedAt.getTime() - startedAt.getTime())}
          </>
        )}
      </span>
      {protectedUntil !== undefined && (
        <span class="row-reason">
          until <Time at={protectedUntil} /> (<Until at={protectedUntil} now={now} />)
        </span>
      )}
      {reason !== undefined && <span class="row-reason">{reason}</span>}
    </li>
  );
};

/** What sets an id apart from the others stands out. */
const IdText: FC<{ workflowId: string }> = ({ workflowId }) => {
  const requestId = requestIdOfRun(workflowId);
  if (requestId === undefined) return <>{workflowId}</>;
  return (
    <>
      {workflowId.slice(0, workflowId.length - requestId.length)}
      <b>{requestId}</b>
    </>
  );
};

const MORE = ['phase', 'operation', 'account'];

const Filter: FC<{ given: Readonly<Record<string, string>> }> = ({ given }) => (
  <form class="filter" method="get" action="/runs" role="search" aria-label="Filter">
    <div>
      <label for="search">Request id, address, id of a resource, Workflow Id</label>
      <input
        id="search"
        name="search"
        type="search"
        maxlength={200}
        value={given['search'] ?? ''}
      />
    </div>
    <button type="submit">Show</button>
    <details class="wide" open={MORE.some((name) => given[name] !== undefined)}>
      <summary>Phase, operation, account</summary>
      <div class="more">
        <Choice name="phase" label="Phase" words={LISTED_PHASES} given={given} />
        <Choice name="operation" label="Operation" words={Object.keys(Operation)} given={given} />
        <div>
          <label for="account">Account</label>
          <input id="account" name="account" value={given['account'] ?? ''} autocomplete="off" />
        </div>
      </div>
    </details>
  </form>
);

interface ChoiceProps {
  name: string;
  label: string;
  words: readonly string[];
  given: Readonly<Record<string, string>>;
}

const Choice: FC<ChoiceProps> = ({ name, label, words, given }) => (
  <div>
    <label for={name}>{label}</label>
    <select id={name} name={name}>
      <option value="">all</option>
      {words.map((word) => (
        <option value={word} selected={given[name] === word}>
          {word}
        </option>
      ))}
    </select>
  </div>
);
