import type { Child, FC, PropsWithChildren } from 'hono/jsx';

import { formatDuration } from '../../client/format-duration.js';
import { Phase } from '../../engine/core/status.js';
import { SCRIPT_ASSET, STYLE_ASSET } from './page-assets.js';

export interface Shell {
  /** Missing when nobody is signed in, or nobody has to be. */
  caller?: string | undefined;
  /** Of the forms of this reader. */
  secret: string;
}

interface LayoutProps extends Shell {
  title: string;
  /** Seconds after which a browser without scripts loads the page again. */
  reloadAfter?: number | undefined;
}

/** The frame of every page. */
export const Layout: FC<PropsWithChildren<LayoutProps>> = ({
  title,
  reloadAfter,
  children,
  ...shell
}) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{title}</title>
      <link rel="icon" href="data:," />
      <link rel="stylesheet" href={STYLE_ASSET.path} />
      {reloadAfter !== undefined && (
        <noscript>
          <meta http-equiv="refresh" content={String(reloadAfter)} />
        </noscript>
      )}
      <script src={SCRIPT_ASSET.path} defer></script>
    </head>
    <body>
      <Header {...shell} />
      <main id="main">{children}</main>
      <footer>
        gcore-workflows, not made by Gcore. <span id="zone">Times are UTC.</span>
      </footer>
    </body>
  </html>
);

const Header: FC<Shell> = ({ caller, secret }) => (
  <header>
    <a class="skip" href="#main">
      Skip to the content
    </a>
    <nav aria-label="Pages">
      <a href="/runs">All runs</a>
    </nav>
    {caller !== undefined && (
      <form method="post" action="/sign-out">
        <input type="hidden" name="secret" value={secret} />
        <span class="soft">{caller} </span>
        <button class="small" type="submit">
          Sign out
        </button>
      </form>
    )}
  </header>
);

/** A time: UTC here, in the reader's zone once the script has run. */
export const Time: FC<{ at: string }> = ({ at }) => (
  <time datetime={at} title={`${at} (UTC)`}>
    {at.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC')}
  </time>
);

/** How long ago; the script counts on. */
export const Since: FC<{ at: string; now: number }> = ({ at, now }) => (
  <span data-since={at}>{formatDuration(now - Date.parse(at))}</span>
);

/** How long ago, roughly. */
export const Ago: FC<{ at: string; now: number }> = ({ at, now }) => (
  <span data-ago={at}>{agoText(now - Date.parse(at))}</span>
);

function agoText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`;
}

export const Until: FC<{ at: string; now: number }> = ({ at, now }) => {
  const left = Date.parse(at) - now;
  return <span data-until={at}>{left > 0 ? `in ${formatDuration(left)}` : 'now'}</span>;
};

/** Something to copy by a button, where the browser allows it. */
export const Copyable: FC<{ text: string; label: string; id: string }> = ({ text, label, id }) => (
  <>
    <code>{text}</code>
    <button
      hidden
      class="small"
      type="button"
      id={`copy-${id}`}
      data-copy={text}
      aria-label={`Copy ${label}`}
    >
      Copy
    </button>
  </>
);

/** What a person must see first. */
export const Notice: FC<PropsWithChildren<{ kind: 'good' | 'bad' | 'busy'; title: Child }>> = ({
  kind,
  title,
  children,
}) => (
  <div class={`card ${kind}`}>
    <strong>{title}</strong>
    {children}
  </div>
);

/** How a phase looks. The word itself says everything. */
export const TONE: Partial<Record<string, 'good' | 'bad' | 'busy'>> = {
  [Phase.running]: 'busy',
  [Phase.waiting]: 'busy',
  [Phase.paused]: 'busy',
  [Phase.blocked]: 'bad',
  [Phase.rollingBack]: 'bad',
  [Phase.succeeded]: 'good',
  [Phase.failed]: 'bad',
  [Phase.cancelled]: 'bad',
  protected: 'good',
  terminated: 'bad',
  'timed-out': 'bad',
};
