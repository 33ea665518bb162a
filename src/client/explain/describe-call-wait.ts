import type {
  HeartbeatDetails,
  RepeatDetails,
  TurnDetails,
} from '../../engine/schema/heartbeat-details.js';
import { plural } from '../../engine/core/plural.js';
import { sentence, when } from './sentences.js';

export const WAIT_FOR_ANSWER =
  'nothing to do: it continues when the API answers; check whether the API reports an outage; if it does not: gcore-workflows doctor, where the worker runs';

interface CallWait {
  sentence: string;
  next: string;
}

/** What a running call waits for in the process of its worker. A watcher is described with its task. */
export function describeCallWait(name: string, wait: HeartbeatDetails, now: number): CallWait[] {
  switch (wait.waitingFor) {
    case 'rate':
      return [describeTurn(name, wait, now)];
    case 'answer':
      return [describeRepeat(name, wait, now)];
    case 'task':
      return [];
  }
}

function describeTurn(
  name: string,
  { perSecond, since, calls }: TurnDetails,
  now: number,
): CallWait {
  const rate = `about ${perSecond} ${perSecond === 1 ? 'request' : 'requests'} a second`;
  const limit =
    since === undefined
      ? `the request budget is ${rate}`
      : `the API allows ${rate} (429 since ${when(since, now)})`;
  return {
    sentence: `Its call ${name} waits for its turn: ${limit}, and ${plural(calls, 'call')} of this account ${calls === 1 ? 'waits' : 'wait'} in that worker`,
    next: 'nothing to do: the worker sends as many requests as the API allows',
  };
}

/** A call of many reads that repeats one of them. */
function describeRepeat(
  name: string,
  { failure: { type, message }, failures, since, nextAt }: RepeatDetails,
  now: number,
): CallWait {
  return {
    sentence: `Its call ${name} repeats a read that has failed ${failures === 1 ? 'once' : `${failures} times`} since ${when(since, now)}, the last time as ${type}: ${sentence(message)} It is repeated at ${when(nextAt, now)}; what the call has read before is kept`,
    next: WAIT_FOR_ANSWER,
  };
}
