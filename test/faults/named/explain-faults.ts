import type { NamedFault } from './named-fault.js';
import { UNWORKED_FAULTS } from './unworked-faults.js';

export type ExplainFault = keyof typeof EXPLAIN_FAULTS;

const GO_ON = 'gcore-workflows resume \\S+.* end it: gcore-workflows abort \\S+';

export const EXPLAIN_FAULTS = {
  ...UNWORKED_FAULTS,
  runRefusedKey: {
    fault: 'the API refuses the key of the run (401)',
    askedOf: 'explain',
    cause: /blocked as Unauthorized since .* was answered with 401/,
    cure: new RegExp(`give the worker a valid key.*, then: ${GO_ON}`),
    listed: 'give the worker a valid key, then `resume ID`',
  },
  runLacksRight: {
    fault: 'the key lacks a right that the run needs (403)',
    askedOf: 'explain',
    cause:
      /blocked as Unauthorized since .* was answered with 403 \(You have no permission for this\)/,
    cure: new RegExp(`key that is allowed to do this \\(docs/key-scopes\\.md\\), then: ${GO_ON}`),
    listed: 'give the worker a key with [the right](key-scopes.md), then `resume ID`',
  },
  outage: {
    fault: 'the API has an outage (5xx) during a run',
    askedOf: 'explain',
    cause: /Its call \w+ has failed .*, the last time as ServiceUnavailable: .* 503/,
    cure: /it continues when the API answers; check whether the API reports an outage/,
    listed: 'nothing; look whether the API reports it',
  },
  breakerOpen: {
    fault: 'the API has an outage, and the breaker of the worker sends nothing',
    askedOf: 'explain',
    cause:
      /ServiceUnavailable: .* was not sent: .*the API area cloud .*has not answered since \S+Z; calls wait/,
    cure: /it continues when the API answers; check whether the API reports an outage/,
    listed: 'nothing; look whether the API reports it',
  },
  unreachable: {
    fault: 'the API cannot be reached from the worker',
    askedOf: 'explain',
    cause: /Its call \w+ has failed .*, the last time as ServiceUnavailable: .*ECONNREFUSED/,
    cure: /gcore-workflows doctor, where the worker runs/,
    listed: '`doctor` where the worker runs: the address and the network',
  },
  rateLimited: {
    fault: 'the API allows few requests (429)',
    askedOf: 'explain',
    cause:
      /Its call \w+ waits for its turn: the API allows about [\d.]+ requests? a second \(429 since /,
    cure: /nothing to do: the worker sends as many requests as the API allows/,
    listed: 'nothing; lower `GCORE_REQUESTS_PER_SECOND` if you see it often',
  },
  quota: {
    fault: 'a quota is used up',
    askedOf: 'explain',
    cause: /blocked as QuotaExceeded since .*Quota limit exceeded: cpu_count_limit/,
    cure: new RegExp(`raise the quota or free some of it, then: ${GO_ON}`),
    listed: 'raise it or free some, then `resume ID`',
  },
  soldOut: {
    fault: 'the flavor is sold out in the region',
    askedOf: 'explain',
    cause: /blocked as CapacityUnavailable since .*sold out in this region/,
    cure: new RegExp(`wait, or choose another flavor or region in the input, then: ${GO_ON}`),
    listed: 'wait, or `resume ID --input FILE` with another flavor or region',
  },
  secretMissing: {
    fault: 'a secret that the input names does not exist',
    askedOf: 'explain',
    cause:
      /blocked as SecretUnavailable since .*the secret "web" \(key "password"\) does not exist/,
    cure: new RegExp(`create the secret where the worker looks for it, then: ${GO_ON}`),
    listed: 'create the secret; the run goes on by itself, or at once with `resume ID`',
  },
  paused: {
    fault: 'somebody has paused the run, whom it names',
    askedOf: 'explain',
    cause: /anna@ops (\(sent by \S+\) )?paused it at \S+Z \(.*\)\. It sends nothing new/,
    cure: /continue it: gcore-workflows resume \S+, or end it: gcore-workflows abort \S+/,
    listed: '`resume ID` or `abort ID`',
  },
  turnHeld: {
    fault: 'another run has the turn, and is itself blocked',
    askedOf: 'explain',
    cause:
      /for its turn at kv-store\/1 \(held by the-holder-\S+ since \S+Z\).*"the-holder-\S+" keeps the turn/,
    cure: /see what the run that has the turn waits for: gcore-workflows explain the-holder-\S+/,
    listed: '`explain` the holder, which it names',
  },
  outcomeUnknown: {
    fault: 'the outcome of a call stays unknown',
    askedOf: 'explain',
    cause: /blocked as OutcomeUnknown since .*2 instances/,
    cure: new RegExp(`check what exists and remove what should not, then: ${GO_ON}`),
    listed: 'look at what it names, remove what should not exist, then `resume ID`',
  },
  removalBlocked: {
    fault: 'what the run removes cannot be removed',
    askedOf: 'explain',
    cause:
      /blocked as RemovalBlocked since .*refuses to delete it now \(409\).*Look at what holds them/,
    cure: new RegExp(`free what it cannot remove, or delete it yourself, then: ${GO_ON}`),
    listed: 'free the resource, then `resume ID`; or `abort ID`, and remove it yourself',
  },
  taskFailed: {
    fault: 'a task of the API ends in ERROR',
    askedOf: 'explain',
    cause:
      /failed .* as TaskFailed at the step "create instance"\..*The host has burnt down.*The task id is \S+/,
    cure: /ask the support of the API with the task id.* gcore-workflows provision --file FILE/,
    listed: 'read its text; the support of the API knows the task id; then start it again',
  },
  taskSlow: {
    fault: 'a task takes far longer than usual',
    askedOf: 'explain',
    cause: /for task \S+ \(\w+\); [\d.]+ s are usual, so this takes much longer/,
    cure: /wait; if it lasts, ask the support of the API \(the run waits for task \S+\); to follow it/,
    listed: 'wait, or ask the support of the API about the task',
  },
  requestRefused: {
    fault: 'the API refuses the request (400, 422)',
    askedOf: 'explain',
    cause: /failed .* as InvalidRequest at the step .*Flavor g9 is not known/,
    cure: /Correct the named fields and start again.* gcore-workflows provision --file FILE/,
    listed: 'correct the named fields, then start it again',
  },
  manifestUnreadable: {
    fault: 'the manifest of an import cannot be read',
    askedOf: 'explain',
    cause: /blocked as ManifestUnreadable since .*file:gone\.jsonl cannot be opened \(ENOENT\)/,
    cure: new RegExp(`restore the manifest, or let the worker read it, then: ${GO_ON}`),
    listed: 'restore the manifest, or let the worker read it (`GCORE_MANIFEST_ROOT`)',
  },
  manifestChanged: {
    fault: 'the manifest has changed since the run began',
    askedOf: 'explain',
    cause: /blocked as ManifestUnreadable since .*have changed since the run began/,
    cure: new RegExp(`restore the manifest, or let the worker read it, then: ${GO_ON}`),
    listed: 'restore what it was, then `resume ID`',
  },
  videosFailed: {
    fault: 'videos of an import have failed',
    askedOf: 'explain',
    cause: /failed .* as ItemsFailed .*2 of 2 videos failed/,
    cure: /fix what you can. Then import the failed videos again: `gcore-workflows retry /,
    listed: 'read the report, then `retry ID`',
  },
  receiverRefuses: {
    fault: 'a receiver of webhooks does not take them',
    askedOf: 'explain',
    cause: /The receiver of webhooks at 127\.0\.0\.1:\d+ has not taken 1 event since \S+Z/,
    cure: /mend the receiver of webhooks at 127\.0\.0\.1:\d+ \(docs\/operate\/webhook-receiver-down\.md\)/,
    listed: 'mend the receiver; events are sent again for a day',
  },
  receiverGone: {
    fault: 'a receiver of webhooks wants no more (410)',
    askedOf: 'explain',
    cause:
      /1 webhook will not be delivered any more; the last one is run\.blocked for 127\.0\.0\.1:\d+: .*answered 410/,
    cure: /mend the receiver of webhooks at 127\.0\.0\.1:\d+/,
    listed: 'mend the receiver, or take it out of `notify`',
  },
  terminated: {
    fault: 'somebody has terminated the run in Temporal',
    askedOf: 'explain',
    cause: /was terminated by \S+ \(wrong button\) .*what it created still exists.*task \S+/,
    cure: /start the same request again; it finds what exists: gcore-workflows provision/,
    listed: 'start the same request again (`retry ID`): it finds what exists',
  },
} as const satisfies Record<string, NamedFault>;
