import type { FC } from 'hono/jsx';
import { z } from 'zod';

import { formatDuration } from '../../client/format-duration.js';
import type { Explanation, RunHistory } from '../../client/index.js';
import { protectionOf, type Protection } from '../../client/protection.js';
import type { StatusDocument } from '../../contract/index.js';
import { triesAs } from '../../engine/core/failures.js';
import { AskedFor } from '../../engine/core/identity.js';
import type { Asked, Blocked, KnownFailure, Waiting } from '../../engine/schema/status-document.js';
import { Phase } from '../../engine/core/status.js';
import { webhookRemarks } from '../../engine/core/webhooks.js';
import { Ago, Notice, Since, Time, Until } from './page-layout.js';
import { RichText } from './rich-text.js';
import { RunbookLink, runbookOf } from './runbooks.js';

interface NoticesProps {
  status: StatusDocument;
  history?: Pick<RunHistory, 'result'> | undefined;
  now: number;
}

/** Why a run does not go on, or what it waits for; whether it protects an address. */
export const Notices: FC<NoticesProps> = ({ status, history, now }) => {
  const { unserved, blocked, failure, waiting, phase } = status;
  const protection = protectionOf(status);
  return (
    <>
      {unserved !== undefined && (
        <Notice kind="bad" title={`No worker serves the account ${unserved.account}`}>
          <p>
            <RichText text={unserved.advice} />
          </p>
          <RunbookLink name="no-worker" />
        </Notice>
      )}
      {phase === Phase.paused && (
        <Notice kind="busy" title="Paused">
          <p>Nothing new is sent. Calls that were sent go on at the API.</p>
          <PausedBy asked={status.asked ?? []} />
        </Notice>
      )}
      {blocked !== undefined && <BlockedNotice blocked={blocked} now={now} />}
      {failure !== undefined && <FailureNotice failure={failure} />}
      {protection !== undefined && <ProtectedNotice protection={protection} now={now} />}
      {protection === undefined && waiting !== undefined && (
        <WaitingNotice waiting={waiting} now={now} />
      )}
      {phase === Phase.succeeded && <ProtectionNow history={history} />}
      <WebhooksNotice remarks={webhookRemarks(status)} />
    </>
  );
};

const ProtectedNotice: FC<{ protection: Protection; now: number }> = ({ protection, now }) => {
  const { since, until } = protection;
  return (
    <Notice
      kind="good"
      title={
        <>
          Protected until <Time at={until} />
        </>
      }
    >
      <p>
        Ends <Until at={until} now={now} />: the state before it is put back then.
      </p>
      <p class="soft">
        The run has read the protection back <Ago at={since} now={now} />, and looks again at its
        end.
      </p>
    </Notice>
  );
};

/** What the result of a run that protects an address says of it. */
const protectedSchema = z.object({
  after: z.object({ active: z.boolean(), profile: z.object({ ip_address: z.string() }) }),
  restored: z.boolean(),
});

/** Whether the run has left its address protected. */
const ProtectionNow: FC<Pick<NoticesProps, 'history'>> = ({ history }) => {
  const { result } = history ?? {};
  if (result === undefined || 'left' in result) return null;
  const { data } = protectedSchema.safeParse(result.value);
  // A run may also be asked to switch the protection off.
  if (data?.after.active !== true) return null;
  const { after, restored } = data;
  const address = after.profile.ip_address;
  if (restored) {
    return (
      <Notice kind="busy" title={`${address}: the protection has ended`}>
        <p>The run has put back the state before it.</p>
      </Notice>
    );
  }
  return (
    <Notice kind="good" title={`${address} is protected, without an end`}>
      <p class="soft">As the run has read it back at its end. Nobody looks since then.</p>
    </Notice>
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
      <RunbookLink name="webhook-receiver-down" />
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
        <p>
          <RichText text={explanation.paragraph} />
        </p>
        <p>
          <strong>Next:</strong> <RichText text={explanation.next} />
        </p>
      </>
    )}
    {!isEnded && <RunbookLink name="no-worker" />}
  </Notice>
);

const BlockedNotice: FC<{ blocked: Blocked; now: number }> = ({ blocked, now }) => {
  const { type, message, advice, since, nextCheckAt, deadline } = blocked;
  return (
    <Notice kind="bad" title={`Blocked: ${type}`}>
      <p>
        <RichText text={message} />
      </p>
      <p>
        <strong>Next:</strong> <RichText text={advice} />
      </p>
      <p class="soft">
        Since <Time at={since} />, for <Since at={since} now={now} />.
        {nextCheckAt !== undefined && (
          <>
            {' '}
            {triesAs(type) === 'looks' ? 'Looks' : 'Tries'} by itself{' '}
            <Until at={nextCheckAt} now={now} />.
          </>
        )}
        {deadline !== undefined && (
          <>
            {' '}
            Gives up at <Time at={deadline} />.
          </>
        )}
      </p>
      <RunbookLink name={runbookOf(type)} />
    </Notice>
  );
};

const FailureNotice: FC<{ failure: KnownFailure }> = ({ failure }) => (
  <Notice kind="bad" title={`Failed: ${failure.type}`}>
    {failure.step !== undefined && <p>In the step: {failure.step}.</p>}
    <p>
      <RichText text={failure.message} />
    </p>
    <p>
      <strong>Next:</strong> <RichText text={failure.advice} />
    </p>
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
