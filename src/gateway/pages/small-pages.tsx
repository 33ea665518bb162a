import type { FC } from 'hono/jsx';

import { Operation, type StatusDocument } from '../../contract/index.js';
import type { Problem } from '../problem.js';
import type { RunView } from '../status-board.js';
import { pathOfPage, type PageAction } from './page-actions.js';
import { Layout, Notice, type Shell } from './page-layout.js';

interface ConfirmProps {
  view: RunView;
  status: StatusDocument | undefined;
  action: PageAction;
  shell: Shell;
}

/** Says what will happen before it does. */
export const ConfirmPage: FC<ConfirmProps> = ({ view, status, action, shell }) => {
  const { workflowId, runId, operation } = view;
  return (
    <Layout title={`${action.label}: ${workflowId}`} {...shell}>
      <h1>
        {action.label} <code>{workflowId}</code>?
      </h1>
      <p>{action.effect}</p>
      {action.undoes && <Made status={status} />}
      <form method="post" action={`${pathOfPage(workflowId)}/${action.name}`}>
        <input type="hidden" name="secret" value={shell.secret} />
        <input type="hidden" name="run" value={runId} />
        {action.name === 'extend' && (
          <>
            <label for="holdFor">Hold for, from now on</label>
            <input id="holdFor" name="holdFor" value="2 hours" required autocomplete="off" />
          </>
        )}
        {action.name === 'abort' && (
          <>
            <label for="reason">Reason (becomes part of the failure)</label>
            <input id="reason" name="reason" maxlength={1000} autocomplete="off" />
          </>
        )}
        {action.name.startsWith('retry') && operation === Operation.importVideos && (
          <label for="sameLines">
            <input id="sameLines" name="sameLines" type="checkbox" value="true" />
            The manifest still has the same videos in the same lines (needed if it has no sha256)
          </label>
        )}
        <ul class="actions short">
          <li>
            <button class={action.undoes ? 'bad' : ''} type="submit">
              {action.name.startsWith('retry') ? action.label : `${action.label} the run`}
            </button>
          </li>
          <li>
            <a class="button" href={pathOfPage(workflowId)}>
              Back
            </a>
          </li>
        </ul>
      </form>
    </Layout>
  );
};

/** What the run has made or adopted, as its steps name it. It removes only what it has made. */
const Made: FC<{ status: StatusDocument | undefined }> = ({ status }) => {
  const resources = (status?.steps ?? []).flatMap((step) => step.resources);
  if (resources.length === 0) return <p>The run names nothing that it has made so far.</p>;
  return (
    <>
      <p>The run names these resources. What it has made itself, it removes or puts back:</p>
      <ul>
        {resources.map(({ kind, id }) => (
          <li>
            {kind} <code>{id}</code>
          </li>
        ))}
      </ul>
    </>
  );
};

interface SignInProps {
  /** Where to go then: a path of this gateway. */
  to: string;
  fault?: string | undefined;
}

export const SignInPage: FC<SignInProps> = ({ to, fault }) => (
  <Layout title="Sign in" secret="">
    <h1>Sign in</h1>
    {fault !== undefined && (
      <div role="alert">
        <Notice kind="bad" title={fault}>
          <p>Use a token of the token file of this gateway that has the scope "read".</p>
        </Notice>
      </div>
    )}
    <form method="post" action="/sign-in">
      <input type="hidden" name="to" value={to} />
      <label for="token">Token</label>
      <input
        id="token"
        name="token"
        type="password"
        required
        autocomplete="current-password"
        aria-describedby="token-kept"
      />
      <p id="token-kept" class="soft">
        The browser keeps it for 12 hours, or until you sign out.
      </p>
      <button type="submit">Sign in</button>
    </form>
  </Layout>
);

interface ProblemPageProps {
  problem: Problem;
  /** Names the request in the log of the gateway. */
  requestId: string;
  shell: Shell;
}

/** Any problem, for a person: what happened, and where to go on. */
export const ProblemPage: FC<ProblemPageProps> = ({ problem, requestId, shell }) => {
  const { title, detail, faults = [], advice, status } = problem;
  const passes = status === 429 || status >= 500;
  return (
    <Layout title={title} {...shell}>
      <h1>{title}</h1>
      <Notice kind="bad" title={detail}>
        {faults.map(({ pointer, parameter, message }) => (
          <p>
            <code>{pointer ?? parameter}</code> {message}
          </p>
        ))}
        <p>{advice}</p>
      </Notice>
      <ul class="actions short">
        {passes && (
          <li>
            <a class="button" href="">
              Try again
            </a>
          </li>
        )}
        <WayOn problem={problem} />
        <li>
          <a class="button" href="/runs">
            All runs
          </a>
        </li>
      </ul>
      <p class="soft small">
        For the log of the gateway: {status} {problem.code}, <code>{requestId}</code>
      </p>
    </Layout>
  );
};

/** A run that is not there has no page: the list may know it by another name. */
const WayOn: FC<{ problem: Problem }> = ({ problem: { code, workflowId } }) => {
  if (workflowId === undefined) return null;
  const isMissing = code === 'RunNotFound';
  const search = new URLSearchParams({ search: workflowId.slice(0, 200) }).toString();
  return (
    <li>
      <a class="button" href={isMissing ? `/runs?${search}` : pathOfPage(workflowId)}>
        {isMissing ? 'Look for it in the list' : 'To the run'}
      </a>
    </li>
  );
};

/**
 * A strict cookie does not come along from a link in a chat or in the Temporal UI. Loaded again by itself, the page
 * comes from its own site.
 */
export const AgainPage: FC = () => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <title>One moment</title>
      <meta http-equiv="refresh" content="0" />
    </head>
    <body>
      <p>One moment. If nothing happens, load this page again.</p>
    </body>
  </html>
);
