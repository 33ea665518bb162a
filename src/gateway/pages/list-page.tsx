import type { FC } from 'hono/jsx';

import type { RunPage as PageOfRuns } from '../../client/index.js';
import { Operation } from '../../contract/index.js';
import { LISTED_PHASES } from '../../client/run-filter.js';
import { Layout, Time, TONE, type Shell } from './page-layout.js';
import { pathOfPage } from './page-actions.js';

export interface ListPageModel {
  page: PageOfRuns;
  /** The filter, as the reader gave it. */
  given: Readonly<Record<string, string>>;
}

/** The runs, newest first. */
export const ListPage: FC<{ model: ListPageModel; shell: Shell }> = ({ model, shell }) => {
  const { page, given } = model;
  return (
    <Layout title="Runs" {...shell}>
      <h1>Runs</h1>
      <Filter given={given} />
      {page.runs.length === 0 ? (
        <p>No run here. A new run shows some seconds late.</p>
      ) : (
        <ul class="plain runs">
          {page.runs.map((run) => (
            <li>
              <a href={pathOfPage(run.workflowId)}>{run.workflowId}</a>
              <br />
              <strong class={TONE[run.phase] ?? 'soft'}>{run.phase}</strong>{' '}
              <span class="soft">
                {run.operation}, started <Time at={run.startedAt.toISOString()} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {page.next !== undefined && (
        <p>
          <a
            class="button"
            href={`/runs?${new URLSearchParams({ ...given, page: page.next }).toString()}`}
          >
            Older runs
          </a>
        </p>
      )}
    </Layout>
  );
};

const Filter: FC<{ given: Readonly<Record<string, string>> }> = ({ given }) => (
  <form class="filter" method="get" action="/runs" role="search" aria-label="Filter">
    <Choice name="phase" label="Phase" words={LISTED_PHASES} given={given} />
    <Choice name="operation" label="Operation" words={Object.keys(Operation)} given={given} />
    <div>
      <label for="resource">Id of a resource</label>
      <input id="resource" name="resource" value={given['resource'] ?? ''} autocomplete="off" />
    </div>
    <button type="submit">Show</button>
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
