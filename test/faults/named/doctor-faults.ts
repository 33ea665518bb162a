import type { NamedFault } from './named-fault.js';

export type DoctorFault = keyof typeof DOCTOR_FAULTS;

export const DOCTOR_FAULTS = {
  temporalAway: {
    fault: 'the Temporal server is away',
    askedOf: 'doctor',
    cause: /^Temporal: No Temporal server answers at 127\.0\.0\.1:\d+ \(waited 5 seconds\)/,
    cure: /Start one .*, name another with --address or TEMPORAL_ADDRESS, or check TLS/,
    listed: 'start it, name another (`TEMPORAL_ADDRESS`), or check TLS',
  },
  namespaceMissing: {
    fault: 'the namespace does not exist',
    askedOf: 'doctor',
    cause: /^namespace: "nowhere-\w+" does not exist on this server/,
    cure: /temporal operator namespace create --namespace nowhere-\w+/,
    listed: 'name another (`TEMPORAL_NAMESPACE`), or create it',
  },
  attributesMissing: {
    fault: 'search attributes are missing',
    askedOf: 'doctor',
    cause:
      /^search attributes: missing: GcorePhase, GcoreAccount, GcoreResourceId, GcoreLabels\..* nobody can search/,
    cure: /start the workers again: temporal operator search-attribute create .*--namespace cli-/,
    listed: 'create them with the printed command, then start the workers again',
  },
  noWorker: {
    fault: 'no worker runs',
    askedOf: 'doctor',
    cause: /^workers: nobody polls gcore-workflows and gcore-api-default/,
    cure: /start a worker: gcore-workflows worker$/,
    listed: 'start a worker',
  },
  accountUnserved: {
    fault: 'workers run, but none serves the account',
    askedOf: 'doctor',
    cause: /^workers: nobody polls gcore-api-blue and gcore-urgent-blue$/,
    cure: /start a worker with GCORE_ACCOUNT=blue and the API key of this account/,
    listed: 'start a worker with its `GCORE_ACCOUNT` and key, or add it to `GCORE_ACCOUNTS_FILE`',
  },
  otherCode: {
    fault: 'workers run other code than the command',
    askedOf: 'doctor',
    cause: /^version: 1 of 1 worker run other code than this command/,
    cure: /finish the deployment, or use the command of the version of the workers/,
    listed: 'finish the deployment, or use the command of their version',
  },
  keyRefused: {
    fault: 'the API refuses the key (401)',
    askedOf: 'doctor',
    cause: /^API key: GET \/cloud\/v1\/projects was answered with 401/,
    cure: /^set the right key \(GCORE_API_KEY\) and start the workers again/,
    listed: 'set the right key; a key file is taken over without a restart',
  },
  rightLacking: {
    fault: 'the key lacks a right (403)',
    askedOf: 'doctor',
    cause:
      /^API key: GET \/cloud\/v1\/projects was answered with 403 \(You have no permission to list projects\)/,
    cure: /let an administrator of the account allow this to the key \(docs\/key-scopes\.md\)/,
    listed:
      'let an administrator of the account allow it ([rights](key-scopes.md)), or use another key',
  },
  addressUnreachable: {
    fault: 'nobody answers at the address of the API',
    askedOf: 'doctor',
    cause: /^API key: GET \/cloud\/v1\/projects (could not be sent|got no answer) \(ECONNREFUSED\)/,
    cure: /check GCORE_BASE_URL and the network between here and http:\/\/127\.0\.0\.1/,
    listed: 'check `GCORE_BASE_URL` and the network',
  },
  nameUnknown: {
    fault: 'the name of the API cannot be resolved',
    askedOf: 'doctor',
    cause: /^API key: GET \/cloud\/v1\/projects could not be sent \(ENOTFOUND\)/,
    cure: /check GCORE_BASE_URL and the network between here and https:\/\/a+\.invalid/,
    listed: 'check `GCORE_BASE_URL` and the name service',
  },
  apiDown: {
    fault: 'the API has an outage (5xx)',
    askedOf: 'doctor',
    cause: /^API key: GET \/cloud\/v1\/projects was answered with 503/,
    cure: /check whether the API reports an outage \(runs wait for its end\)/,
    listed: 'look whether the API reports it; runs wait for its end',
  },
  apiBusy: {
    fault: 'the API refuses for too many requests (429)',
    askedOf: 'doctor',
    cause: /^API key: GET \/cloud\/v1\/projects was answered with 429/,
    cure: /somebody else uses this key, or GCORE_REQUESTS_PER_SECOND is above the limit/,
    listed:
      'check again; if it stays, lower `GCORE_REQUESTS_PER_SECOND` or find who shares the key',
  },
  clockSkew: {
    fault: 'the clock is wrong',
    askedOf: 'doctor',
    cause: /^clock: (29\d|30\d) s behind the API/,
    cure: /set the clock of this machine \(NTP\)/,
    listed: 'set the clock (NTP)',
  },
  projectUnknown: {
    fault: 'the project is not one of the key',
    askedOf: 'doctor',
    cause: /^project: 77 is not among the projects of this key/,
    cure: /set GCORE_CLOUD_PROJECT_ID to one of \d/,
    listed: 'set `GCORE_CLOUD_PROJECT_ID` to one of those it prints',
  },
  regionUnknown: {
    fault: 'the region is not one of the key',
    askedOf: 'doctor',
    cause: /^region: 88 is not among the regions of this key/,
    cure: /set GCORE_CLOUD_REGION_ID to one of \d/,
    listed: 'set `GCORE_CLOUD_REGION_ID` to one of those it prints',
  },
  accountsFileFaulty: {
    fault: 'the accounts file has a fault',
    askedOf: 'doctor',
    cause: /^configuration: GCORE_ACCOUNTS_FILE: accounts\.blue\.keyFile: cannot be read \(ENOENT/,
    cure: /correct the settings of the worker: docs\/configuration\.md/,
    listed:
      'correct what it names; `./gcore-workflows config check` says the same without a server',
  },
  keyRingFaulty: {
    fault: 'the key ring cannot be read',
    askedOf: 'doctor',
    cause:
      /^Temporal: The configuration has 1 fault: GCORE_CODEC_KEYS_FILE: cannot be read \(ENOENT\)/,
    cure: /Correct the named settings/,
    listed: 'correct `GCORE_CODEC_KEYS_FILE`',
  },
} as const satisfies Record<string, NamedFault>;
