import type { FailureType } from '../core/failures.js';

/**
 * What a person should do next, by failure. Every failure that leaves an activity carries one. Where a run
 * blocks, it is the cause to mend and no more: the block itself says how the run goes on.
 */
export const ADVICE: Record<FailureType, string> = {
  InvalidInput: 'Correct the named fields and start again.',
  InvalidRequest: 'Correct the named fields and start again; nothing was created by this call.',
  Unauthorized:
    'Check the API key of the account (GCORE_API_KEY, GCORE_API_KEY_FILE or GCORE_ACCOUNTS_FILE): is it complete, not revoked, and allowed to do this? A new key in a key file is taken over within seconds. Keys may contain "$", which shells and .env files expand: put the key in single quotes or into a file.',
  QuotaExceeded: 'Ask for a higher quota or delete what is not needed.',
  CapacityUnavailable: 'Choose another flavor or region, or wait until there is capacity.',
  NotFound: 'Check the ids, the project and the region.',
  AlreadyExists: 'Use another name, or remove what exists.',
  ResourceBusy: 'Another task holds the resource; the call is repeated when that task ends.',
  RateLimited: 'Nothing to do: the call is repeated after the time the API asked for.',
  ServiceUnavailable: 'Nothing to do: the call is repeated until the API answers.',
  OutcomeUnknown: 'Nothing to do yet: the worker looks for what the call may have created.',
  UnexpectedResponse:
    'The API answered in a form this version does not know. Check GCORE_BASE_URL and for a newer version.',
  TaskFailed:
    'Read the text of the task. If it names no cause that you can fix, contact the support of the API with the task id.',
  ItemsFailed: 'Read the report of the items and run the failed ones again.',
  DeadlineExceeded: 'Start again with a later deadline.',
  ResultTooLarge: 'Ask for a smaller part of the result.',
  Aborted: 'Nothing to do: an operator ended the run.',
  RemovalBlocked: 'Look at what holds the resource, free it or delete it yourself.',
  ManifestUnreadable:
    'Restore the manifest to the state it had when the run began, or let the worker read it (GCORE_MANIFEST_ROOT, GCORE_MANIFEST_HOSTS).',
  DecryptionFailed:
    'Give the worker the key ring that the others have (GCORE_CODEC_KEYS_FILE): docs/secure.md.',
  SecretUnavailable: 'Create the secret where the worker looks for it.',
  Defect:
    'Report it with this message and the version of the worker, and replace the worker when it is fixed.',
  Refused: 'Look at the status of the run first.',
};
