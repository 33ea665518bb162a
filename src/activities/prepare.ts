import { createHash } from 'node:crypto';

import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';

import { parseDuration } from '../contract/duration.js';
import { FailureType, type FailureDetails, type Fault } from '../contract/failures.js';
import { DEFAULT_ACCOUNT } from '../contract/names.js';
import {
  listSshKeysInputSchema,
  type ListSshKeysInput,
} from '../contract/operations/list-ssh-keys.js';
import {
  provisionInstanceInputSchema,
  type Alternative,
  type ProvisionInstanceInput,
} from '../contract/operations/provision-instance.js';
import { formatFaults, parseInput } from '../contract/parse-input.js';
import type { RunPolicy } from '../contract/run-policy.js';
import { ADVICE } from './http/advice.js';

/** What the worker adds to an input: defaults, how to wait. Never the body itself. */
export interface PreparedRun {
  account: string;
  /** Missing where a run makes nothing that could be removed or kept. */
  onFailure?: 'rollback' | 'keep';
  /** Missing in runs that started before it was there: they fail, as they did then. */
  onBlocked?: 'wait' | 'fail';
  /** From the start of the run. */
  deadlineMs?: number;
  policy: RunPolicy;
}

/** Of a run that makes things: where, and how they are found again. */
export interface PreparedMaker extends PreparedRun {
  projectId: number;
  regionId: number;
  onFailure: 'rollback' | 'keep';
  /** An earlier run of this id was terminated then: a call of it may still be on its way. */
  cutShortAt?: number;
  marker: string;
}

export interface PreparedProvisionInstance extends PreparedMaker {
  waitFor: 'task' | 'active';
  alternatives?: Alternative[];
}

export interface PreparedListSshKeys extends PreparedRun {
  name?: string;
}

export interface PrepareDeps {
  /** Project and region used when an input names none. */
  defaults: { projectId?: number | undefined; regionId?: number | undefined };
  policy: RunPolicy;
  /** When an earlier run of the id was last ended from outside, in milliseconds since the epoch. */
  cutShortAt?: (workflowId: string) => Promise<number | undefined>;
}

/**
 * Local activities: they check an input that may have come from any Temporal client in any
 * language. Local, because the arguments of a local activity do not enter the history a second
 * time, and the body may hold a password.
 */
export function createPrepareActivities({ defaults, policy, cutShortAt }: PrepareDeps) {
  return {
    /** Fails as `InvalidInput` with every fault by path. */
    async prepareProvisionInstance(input: unknown): Promise<PreparedProvisionInstance> {
      const parsed = parseInput<ProvisionInstanceInput>(provisionInstanceInputSchema, input);
      const place = resolvePlace(input, defaults);
      if (!parsed.ok || 'faults' in place) {
        throw invalidInput([
          ...(parsed.ok ? [] : parsed.faults),
          ...('faults' in place ? place.faults : []),
        ]);
      }
      const { marker, workflowId } = thisRun();
      const cutShort = await cutShortAt?.(workflowId);
      return {
        ...withDefaults(parsed.value),
        ...place,
        ...(cutShort === undefined ? {} : { cutShortAt: cutShort }),
        marker,
        policy,
      };
    },

    /** Fails as `InvalidInput` with every fault by path. */
    prepareListSshKeys(input: unknown): Promise<PreparedListSshKeys> {
      const parsed = parseInput<ListSshKeysInput>(listSshKeysInputSchema, input);
      if (!parsed.ok) throw invalidInput(parsed.faults);
      const { name } = parsed.value;
      return Promise.resolve({
        ...commonDefaults(parsed.value),
        ...(name === undefined ? {} : { name }),
        policy,
      });
    },
  };
}

type CommonInput = Pick<ProvisionInstanceInput, 'account' | 'onBlocked' | 'deadline'>;

function commonDefaults({ account, onBlocked, deadline }: CommonInput) {
  const deadlineMs = deadline === undefined ? undefined : parseDuration(deadline);
  return {
    account: account ?? DEFAULT_ACCOUNT,
    onBlocked: onBlocked ?? 'wait',
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
  } as const;
}

function withDefaults(input: ProvisionInstanceInput) {
  const { onFailure, waitFor, alternatives } = input;
  return {
    ...commonDefaults(input),
    onFailure: onFailure ?? 'rollback',
    waitFor: waitFor ?? 'active',
    ...(alternatives === undefined ? {} : { alternatives }),
  };
}

const placeSchema = z.object({ projectId: z.unknown(), regionId: z.unknown() }).partial().catch({});

/** Where the call goes. Looks at the raw input: a missing place is told together with other faults. */
function resolvePlace(
  input: unknown,
  defaults: PrepareDeps['defaults'],
): { projectId: number; regionId: number } | { faults: Fault[] } {
  const given = placeSchema.parse(input);
  const projectId = given.projectId ?? defaults.projectId;
  const regionId = given.regionId ?? defaults.regionId;
  const missing = [
    ...(projectId === undefined ? [missingPlace('projectId', 'GCORE_CLOUD_PROJECT_ID')] : []),
    ...(regionId === undefined ? [missingPlace('regionId', 'GCORE_CLOUD_REGION_ID')] : []),
  ];
  // A value of another type is the schema's to refuse.
  if (typeof projectId !== 'number' || typeof regionId !== 'number') return { faults: missing };
  return { projectId, regionId };
}

function missingPlace(path: string, variable: string): Fault {
  return {
    path,
    message: `is missing, and the worker has no default: give it, or set ${variable}`,
  };
}

function invalidInput(faults: Fault[]): ApplicationFailure {
  const advice = ADVICE[FailureType.invalidInput];
  return ApplicationFailure.create({
    type: FailureType.invalidInput,
    nonRetryable: true,
    message: `The input has ${faults.length} fault(s):\n${formatFaults(faults)}`,
    details: [{ advice, faults } satisfies FailureDetails],
  });
}

/** What the API accepts as the value of a tag (api.md §1.4; the guide asks for three characters at least). */
const TAG_VALUE = /^[\x21-\x7e][\x20-\x7e]{1,253}[\x21-\x7e]$/;

/**
 * `<namespace>/<Workflow Id>`: the same for every attempt, repeat and re-run of one request, and
 * readable for a person who meets it in the cloud's console. Hashed when a tag cannot hold it.
 */
export function toMarker(namespace: string, workflowId: string): string {
  const plain = `${namespace}/${workflowId}`;
  return TAG_VALUE.test(plain)
    ? plain
    : `sha256:${createHash('sha256').update(plain).digest('hex')}`;
}

function thisRun(): { marker: string; workflowId: string } {
  const { namespace, workflowExecution } = activityInfo();
  if (workflowExecution === undefined) {
    throw new TypeError('prepare activities run inside a workflow only');
  }
  const { workflowId } = workflowExecution;
  return { marker: toMarker(namespace, workflowId), workflowId };
}
