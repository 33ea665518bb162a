import type { FC } from 'hono/jsx';

import { formatDuration } from '../../client/format-duration.js';
import type { Explanation } from '../../client/index.js';
import type { StatusDocument } from '../../contract/index.js';
import { AskedFor } from '../../engine/core/identity.js';
import type { Asked, Blocked, KnownFailure, Waiting } from '../../engine/schema/status-document.js';
import { Phase } from '../../engine/core/status.js';
import { webhookRemarks } from '../../engine/core/webhooks.js';
import { Notice, Since, Time, Until } from './page-layout.js';

interface NoticesProps {
  status: StatusDocument;
  now: number;
}

/** Why a run does not go on, or what it waits for. */
export const Notices: FC<NoticesProps> = ({ status, now }) => {
  const { unserved, blocked, failure, waiting, phase } = status;
  return (
    <>
      {unserved !== undefined && (
        <Notice kind="bad" title={`No worker serves the account ${unserved.account}`}>
          <p>{unserved.advice}</p>
        </Notice>
      )}
      {blocked !== undefined && <BlockedNotice blocked={blocked} now={now} />}
      {failure !== undefined && <FailureNotice failure={failure} />}
      {phase === Phase.paused && blocked === undefined && (
        <Notice kind="busy" title="Paused">
          <p>Nothing new is sent. Calls that were sent go on at the API.</p>
          <PausedBy asked={status.asked ?? []} />
        </Notice>
      )}
      {waiting !== undefined && <WaitingNotice waiting={waiting} now={now} />}
      <WebhooksNotice remarks={webhookRemarks(status)} />
    </>
  );
};

const PausedBy: FC<{ asked: readonly Asked[] }> = ({ asked }) => {
  const last = asked.findLast(({ for: what }) => what === AskedFor.pause);
  return last === undefined ? null : (
    <p class="soft">
      By {last.by}, <Time at={last.at} />.
    </p>
  );
};

const WebhooksNotice: FC<{ remarks: readonly string[] }> = ({ remarks }) =>
  remarks.length === 0 ? null : (
    <Notice kind="busy" title="Webhooks">
      {remarks.map((remark) => (
        <p>{remark}</p>
      ))}
    </Notice>
  );

interface UnansweredProps {
  isEnded: boolean;
  /** What is known without a worker. */
  explanation: Pick<Explanation, 'paragraph' | 'next'> | undefined;
}

/** Instead of a status that no worker gives. */
export const Unanswered: FC<UnansweredProps> = ({ isEnded, explanation }) => (
  <Notice kind="bad" title={isEnded ? 'How it ended' : 'No worker answers'}>
    {explanation === undefined ? (
      <p>The run itself is safe. Start a worker, then reload this page.</p>
    ) : (
      <>
        <p>{explanation.paragraph}</p>
        <p>Next: {explanation.next}</p>
      </>
    )}
  </Notice>
);

const BlockedNotice: FC<{ blocked: Blocked; now: number }> = ({ blocked, now }) => {
  const { type, message, advice, since, nextCheckAt, deadline } = blocked;
  return (
    <Notice kind="bad" title={`Blocked: ${type}`}>
      <p>{message}</p>
      <p>{advice}</p>
      <p class="soft">
        Since <Time at={since} />, for <Since at={since} now={now} />.
        {nextCheckAt !== undefined && (
          <>
            {' '}
            Tries by itself <Until at={nextCheckAt} now={now} />.
          </>
        )}
        {deadline !== undefined && (
          <>
            {' '}
            Gives up at <Time at={deadline} />.
          </>
        )}
      </p>
    </Notice>
  );
};

const FailureNotice: FC<{ failure: KnownFailure }> = ({ failure }) => (
  <Notice kind="bad" title={`Failed: ${failure.type}`}>
    {failure.step !== undefined && <p>In the step: {failure.step}.</p>}
    <p>{failure.message}</p>
    <p>{failure.advice}</p>
  </Notice>
);

const WaitingNotice: FC<{ waiting: Waiting; now: number }> = ({ waiting, now }) => {
  const { state, since, typicalSeconds, nextCheckAt, endsBy, watched, unwatched, deadline } =
    waiting;
  return (
    <Notice kind="busy" title={`Waits for ${waiting.for}`}>
      <p>
        {state !== undefined && <>Now: {state}. </>}
        For <Since at={since} now={now} />
        {typicalSeconds !== undefined && (
          <>, usually within {formatDuration(typicalSeconds * 1_000)}</>
        )}
        .
        {nextCheckAt !== undefined && (
          <>
            {' '}
            Next look <Until at={nextCheckAt} now={now} />.
          </>
        )}
        {endsBy !== undefined && (
          <>
            {' '}
            Ends <Until at={endsBy} now={now} /> at the latest.
          </>
        )}
        {watched === true && ' A worker looks every few seconds.'}
        {unwatched !== undefined && ` No worker looks: ${unwatched}.`}
        {deadline !== undefined && (
          <>
            {' '}
            Gives up at <Time at={deadline} />.
          </>
        )}
      </p>
    </Notice>
  );
};
