import type { NamedFault } from './named-fault.js';

export type UnworkedFault = keyof typeof UNWORKED_FAULTS;

/** Runs that no worker can continue, or that nobody can read. */
export const UNWORKED_FAULTS = {
  runUnknown: {
    fault: 'a wrong id or namespace',
    askedOf: 'explain',
    cause:
      /RunNotFound: There is no run "provision-instance\/default\/order-of-nobody" in the namespace "default"\. The id or the namespace is wrong/,
    cure: /find the right id: gcore-workflows list/,
    listed: 'find the right id with `list`',
  },
  queueIdle: {
    fault: 'no worker runs for the run',
    askedOf: 'explain',
    cause:
      /No worker polls the queues "idle-\S+", .*: the run waits for a worker, and nothing is lost/,
    cure: /start a worker.*: gcore-workflows worker/,
    listed: 'start a worker',
  },
  runUnserved: {
    fault: 'no worker serves the account of the run',
    askedOf: 'explain',
    cause: /No worker serves the account "unserved-\w+": the run waits for one/,
    cure: /start a worker with GCORE_ACCOUNT=unserved-\w+ and the API key of this account/,
    listed: 'start a worker with its `GCORE_ACCOUNT` and key, or add it to `GCORE_ACCOUNTS_FILE`',
  },
  codeUnfit: {
    fault: 'the code of the workers does not fit the history of the run',
    askedOf: 'explain',
    cause:
      /No worker can continue it\. Since \S+ .* its workflow task fails with ".*[Nn]ondeterminism/,
    cure: /run a worker of the version that has carried the run so far, or a fixed one/,
    listed: 'run a worker of the version that has carried it so far',
  },
  workerWithoutCodecKey: {
    fault: 'a worker lacks the key of an encrypted run',
    askedOf: 'explain',
    cause: /because one lacks a key\. Since \S+ .* fails with "The payload is encrypted/,
    cure: /give every worker the same key ring \(GCORE_CODEC_KEYS_FILE/,
    listed: 'give every worker the same `GCORE_CODEC_KEYS_FILE`',
  },
  readerWithoutCodecKey: {
    fault: 'the command lacks the key of an encrypted run',
    askedOf: 'explain',
    cause: /The payload is encrypted with the key "a", and this program has no keys/,
    cure: /Set GCORE_CODEC_KEYS_FILE to the key ring that the workers have/,
    listed: 'give the command the `GCORE_CODEC_KEYS_FILE` of the workers',
  },
  readerWithWrongCodecKey: {
    fault: 'the command has another key under the id of the right one',
    askedOf: 'explain',
    cause: /The key "a" does not open this payload: the ring has another key under this id/,
    cure: /Put the key back that had the id "a" when the payload was written/,
    listed: 'put the key of the workers into the `GCORE_CODEC_KEYS_FILE` of the command',
  },
} as const satisfies Record<string, NamedFault>;
