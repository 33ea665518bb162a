import { isDeepStrictEqual } from 'node:util';

import { ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';

import { taskIdsSchema, taskListSchema } from '../contract/api/cloud.js';
import type { ApiLook, SentCall } from '../contract/operations/call-api.js';
import { hasSecretRef } from '../contract/wire/secret-ref.js';
import {
  adviceForUnlisted,
  describeUnlisted,
  isListed,
  type JudgedCall,
} from '../contract/wire/api-calls.js';
import { valueAt } from '../contract/wire/json-pointer.js';
import { paths } from '../contract/wire/paths.js';
import type { ActivityGroups } from '../engine/activities/activity-groups.js';
import { beforeSending } from '../engine/activities/before-sending.js';
import { isNotFound } from '../engine/activities/run-of-activity.js';
import { FailureType, type FailureDetails } from '../engine/core/failures.js';
import { isTerminal, TaskState, type StartedTasks } from '../engine/core/tasks.js';
import { cutText, jsonByteLength } from '../engine/core/text.js';
import { isoOf } from '../engine/core/times.js';
import type { ApiClient } from '../engine/http/api-client.js';
import { withPatientReads } from '../engine/http/patient-reads.js';
import { redact } from '../engine/http/secrets.js';
import { readInWindow } from '../engine/http/times-of-api.js';
import { readAllRows } from './cloud-list.js';
import { fillOne } from './secrets/fill-secrets.js';
import type { SecretSource } from './secrets/secret-source.js';
import { sentForms } from './sent-forms.js';

/** What a look for a call shows. */
export type ApiSight =
  /** The path answers 404. */
  | { is: 'missing' }
  /** `shown`: what is at the pointer, where that is no list and no object; a text is cut, and what is wanted not repeated. */
  | { is: 'there'; isAsWanted: boolean; shown: string };

/** The tasks that may be of a call whose answer was lost. */
export interface RecentTasks {
  /** Those that go on come first. */
  tasks: { id: string; state: string }[];
  /** There are more. */
  isCut: boolean;
}

/** A look of a call. */
export interface LookOfCall extends ApiLook {
  /** The call sends secrets, and the API may show them anywhere: no text leaves. */
  withholds?: true;
}

interface ApiCallDeps {
  api: ApiClient;
  secrets: SecretSource;
  /** The calls that inputs may name, see `isListed`. */
  callApi: readonly string[];
}

const MAX_VALUE_BYTES = 300;
/** A history must stay small. Those that go on decide most. */
const MAX_RECENT = 50;

/** What `callApi` sends and reads. Each call is judged here once more, by the list of the worker that makes it now. */
export function createApiCallActivities({ api, secrets: source, callApi: listed }: ApiCallDeps) {
  return {
    reads: {
      /** One `GET` of a listed path. */
      async lookAtApi({ path, query, pointer, equals, withholds }: LookOfCall): Promise<ApiSight> {
        refuseUnlisted(listed, { method: 'GET', path });
        const read = { path, ...(query && { query }), response: z.unknown() };
        try {
          const answer = await api.request({
            method: 'GET',
            ...read,
            isLarge: true,
            repeatable: true,
          });
          if (pointer === undefined) return { is: 'there', isAsWanted: false, shown: NOTHING };
          const found = valueAt(answer, pointer);
          const isAsWanted = isDeepStrictEqual(found, equals);
          const shown = isAsWanted ? WANTED : shownOf(found, withholds === true);
          return { is: 'there', isAsWanted, shown };
        } catch (error) {
          if (isNotFound(error)) return { is: 'missing' };
          throw error;
        }
      },

      /**
       * The tasks of the account that were created in this time: those that go on first, then those that have finished,
       * at most 50. `GET /cloud/v1/tasks`
       */
      listRecentTasks: (window: { from: string; to: string }): Promise<RecentTasks> =>
        withPatientReads(api, async (reads) => {
          const recorded = { from: Date.parse(window.from), to: Date.parse(window.to) };
          const tasks = await readInWindow(reads, recorded, ({ from, to }) =>
            readAllRows(reads, {
              path: paths.tasks(),
              query: { from_timestamp: isoOf(from), to_timestamp: isoOf(to), order_by: 'asc' },
              response: taskListSchema,
            }),
          );
          const sound = tasks
            .filter(({ state }) => state !== TaskState.error)
            .sort((a, b) => Number(isTerminal(a.state)) - Number(isTerminal(b.state)))
            .map(({ id, state }) => ({ id, state }));
          return { tasks: sound.slice(0, MAX_RECENT), isCut: sound.length > MAX_RECENT };
        }),
    },
    mutations: {
      /**
       * One call of a listed path. One attempt: see engine/send/change-once. The secrets of its body are put in just before it
       * is sent. An answer that names no tasks is not read.
       */
      async sendApiCall({ method, path, query, body }: SentCall): Promise<StartedTasks | object> {
        refuseUnlisted(listed, { method, path });
        const { sent, secrets: values } =
          body === undefined
            ? { sent: undefined, secrets: [] }
            : await beforeSending(() =>
                fillOne(source, { at: 'body.', value: body }, BODY_AS_SENT),
              );
        return api.request({
          ...{ method, path, ...(query && { query }), body: sent, bodyAt: 'body' },
          response: startedSchema,
          repeatable: false,
          secrets: () => ({ values: sentForms(values) }),
        });
      },
    },
  } satisfies ActivityGroups;
}

/** A body may name a secret of 1.5 MB twenty times. */
const MAX_SENT_BYTES = 2 * 1024 ** 2;

const BODY_AS_SENT = {
  schema: z
    .record(z.string(), z.unknown())
    .refine((body) => jsonByteLength(body) <= MAX_SENT_BYTES, {
      error: `must have at most ${MAX_SENT_BYTES} bytes as JSON, with its secrets in it`,
    }),
  isSent: (body: Record<string, unknown>): body is Record<string, unknown> => !hasSecretRef(body),
};

/** An answer with `tasks` starts them, and must have the documented form. */
const startedSchema = z.unknown().transform((answer, context): StartedTasks | object => {
  if (!(answer instanceof Object && 'tasks' in answer)) return {};
  const parsed = taskIdsSchema.safeParse(answer);
  if (parsed.success) return { taskIds: parsed.data.tasks };
  context.addIssue({ code: 'custom', message: 'must be a list of tasks' });
  return z.NEVER;
});

/** Blocks the run, because whoever runs the worker can mend it: nothing goes out before that. */
function refuseUnlisted(listed: readonly string[], call: JudgedCall): void {
  if (isListed(listed, call)) return;
  const advice = adviceForUnlisted(call);
  throw ApplicationFailure.create({
    type: FailureType.unauthorized,
    nonRetryable: true,
    message: `Not sent: ${describeUnlisted(call)}. ${advice}`,
    details: [{ advice, method: call.method, path: call.path } satisfies FailureDetails],
  });
}

const NOTHING = 'nothing';
/** Whoever may read a result or a note may not see the values of an input. */
const WANTED = 'what is wanted';
const WITHHELD = 'another value (withheld, because the call sends secrets)';

/** Of a list or an object, which may hold anything, nothing leaves the activity. */
function shownOf(found: unknown, isWithheld: boolean): string {
  if (found === undefined) return NOTHING;
  if (isWithheld && (typeof found === 'string' || typeof found === 'number')) return WITHHELD;
  if (typeof found === 'string') return JSON.stringify(cutText(redact(found, []), MAX_VALUE_BYTES));
  if (Array.isArray(found)) return `a list of ${found.length}`;
  return found instanceof Object ? 'an object' : JSON.stringify(found);
}
