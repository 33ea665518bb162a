import type { ClearSecrets } from '../../contract/clear-secrets.js';
import type { Fault } from '../../engine/core/failures.js';
import { DEFAULT_ACCOUNT, Urgency } from '../../engine/core/names.js';
import { workflowIdFor } from '../../contract/wire/names.js';
import { isUploadUrl, KEPT_DAYS } from '../../contract/wire/uploads.js';
import { type Operations, OPERATIONS } from '../../contract/operations/index.js';
import { InvalidInputError } from '../errors.js';
import { runnableInput } from '../runnable-input.js';
import { namedLists } from '../uploads/named-lists.js';
import {
  catchUpFaults,
  catchUpMs,
  DEFAULT_CATCH_UP,
  DEFAULT_OVERLAP,
  overlapFaults,
  type Overlap,
} from './schedule-policies.js';
import { checkTiming, type Timing, type WantedTiming } from './schedule-timing.js';

/** A schedule to be made. One of `every`, `at` and `cron` says when it starts a run. */
export interface ScheduleRequest<O extends keyof Operations> extends ScheduleOptions {
  input: Operations[O]['input'];
}

interface ScheduleOptions extends WantedTiming {
  /** The caller's name for the schedule; each run has `<id>-<time>` as its request id. */
  scheduleId: string;
  /** What happens when a run is due and the last one is still open; `skip` when left out. */
  overlap?: Overlap;
  /** How late a run may start after an outage of the Temporal server, or `none`; `1 day` when left out. */
  catchUp?: string;
  /** As in `start`. */
  urgency?: Urgency;
  /** Starts nothing until it is resumed. */
  paused?: boolean;
}

/** A schedule without faults. */
export interface CheckedSchedule<O extends keyof Operations> {
  operation: O;
  scheduleId: string;
  input: Operations[O]['input'];
  /** Temporal appends `-` and the time to it, for each run. */
  workflowId: string;
  timing: Timing;
  overlap: Overlap;
  catchUpMs: number;
  priorityKey: number;
  paused: boolean;
}

/** Temporal accepts 1000 bytes for a Workflow Id, and appends the time. */
const SCHEDULE_ID = /^[\x21-\x7e]{1,200}$/;
const BAD_ID = 'must be one word of at most 200 ASCII characters, such as nightly-refresh';

/** Checks all of a schedule before anything is stored. @throws InvalidInputError with every fault */
export function checkSchedule<O extends keyof Operations>(
  operation: O,
  request: ScheduleOptions & { input: unknown; clearSecrets?: ClearSecrets },
): CheckedSchedule<O> {
  const { scheduleId, overlap = DEFAULT_OVERLAP, catchUp = DEFAULT_CATCH_UP } = request;
  const { urgency = OPERATIONS[operation].urgency, paused = false } = request;
  const parsed = parsedInput(operation, request);
  const timed = checkTiming(request);
  const faults: Fault[] = [
    ...(SCHEDULE_ID.test(scheduleId) ? [] : [{ path: 'scheduleId', message: BAD_ID }]),
    ...(timed.ok ? [] : timed.faults),
    ...overlapFaults(overlap),
    ...catchUpFaults(catchUp),
    ...urgencyFaults(urgency),
    ...(parsed.ok ? listFaults(parsed.value) : parsed.faults),
  ];
  if (!parsed.ok || !timed.ok || faults.length > 0) throw new InvalidInputError(faults);
  const account = parsed.value.account ?? DEFAULT_ACCOUNT;
  return {
    operation,
    scheduleId,
    overlap,
    paused,
    input: parsed.value,
    workflowId: workflowIdFor(operation, account, scheduleId),
    timing: timed.timing,
    catchUpMs: catchUpMs(catchUp),
    priorityKey: Urgency[urgency],
  };
}

/** Who only checks a schedule leaves the secrets to the client that stores it. */
function parsedInput<O extends keyof Operations>(
  operation: O,
  { input, clearSecrets = 'allow' }: { input: unknown; clearSecrets?: ClearSecrets },
) {
  return runnableInput(operation, input, clearSecrets);
}

/** A run of next month would miss it. */
function listFaults(input: Operations[keyof Operations]['input']): Fault[] {
  const message = `is an uploaded list, which is kept for ${KEPT_DAYS} days: a schedule needs a file or a host`;
  return namedLists(input)
    .filter(({ url }) => isUploadUrl(url))
    .map(({ path }) => ({ path, message }));
}

function urgencyFaults(urgency: string): Fault[] {
  if (Object.hasOwn(Urgency, urgency)) return [];
  return [{ path: 'urgency', message: `must be one of ${Object.keys(Urgency).join(', ')}` }];
}
