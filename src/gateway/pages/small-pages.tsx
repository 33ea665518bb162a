import type { FC } from 'hono/jsx';

import type { StatusDocument } from '../../contract/index.js';
import type { Problem } from '../problem.js';
import { pathOfPage, type PageAction } from './page-actions.js';
import { Layout, Notice, type Shell } from './page-layout.js';

interface ConfirmProps {
  workflowId: string;
  status: StatusDocument | undefined;
  action: PageAction;
  shell: Shell;
}

/** Says what will happen before it does. */
export const ConfirmPage: FC<ConfirmProps> = ({ workflowId, status, action, shell }) => (
  <Layout title={`${action.label}: ${workflowId}`} {...shell}>
    <h1>
      {action.label} <code>{workflowId}</code>?
    </h1>
    <p>{action.effect}</p>
    {action.undoes && <Made status={status} />}
    <form method="post" action={`${pathOfPage(workflowId)}/${action.name}`}>
      <input type="hidden" name="secret" value={shell.secret} />
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
      <ul class="actions">
        <li>
          <button class={action.undoes ? 'bad' : ''} type="submit">
            {action.label} the run
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

/** Any problem, for a person. */
export const ProblemPage: FC<{ problem: Problem; shell: Shell }> = ({ problem, shell }) => (
  <Layout title={problem.title} {...shell}>
    <h1>{problem.title}</h1>
    <Notice kind="bad" title={problem.detail}>
      {(problem.faults ?? []).map(({ pointer, parameter, message }) => (
        <p>
          <code>{pointer ?? parameter}</code> {message}
        </p>
      ))}
      <p>{problem.advice}</p>
    </Notice>
    {problem.workflowId !== undefined && (
      <p>
        <a href={pathOfPage(problem.workflowId)}>To the run</a>
      </p>
    )}
  </Layout>
);

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
