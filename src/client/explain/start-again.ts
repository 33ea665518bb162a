import { MARKER_TAG, type Operation } from '../../contract/names.js';
import type { RunFacts } from './run-facts.js';
import type { Command } from './to-explanation.js';

interface Start {
  /** The command that starts the operation. */
  words: readonly string[];
  /** Nothing at the API is changed by it: there is nothing to find again, to remove or to keep. */
  readsOnly: boolean;
  /** Where to see what it did, if not by the tag of what it made. */
  trace?: string;
}

const STARTS: Record<Operation, Start> = {
  provisionInstance: { words: ['provision', '--file', 'FILE'], readsOnly: false },
  protectIp: {
    words: ['protect', 'ADDRESS', '--template', 'ID'],
    readsOnly: false,
    trace: 'The profile of the address itself shows what it did',
  },
  modifyKvStore: { words: ['kv-push', 'FILE', '--store', 'ID'], readsOnly: false },
  listSshKeys: { words: ['ssh-keys'], readsOnly: true },
  grantSftpAccess: {
    words: ['grant-sftp', 'STORAGE', '--key', 'NAME'],
    readsOnly: false,
    trace: 'The storage itself shows which keys it has',
  },
  importVideos: { words: ['import', 'FILE'], readsOnly: false },
};

function startOf({ run }: RunFacts): Start | undefined {
  return isOperation(run?.operation) ? STARTS[run.operation] : undefined;
}

function isOperation(name: string | undefined): name is Operation {
  return name !== undefined && Object.hasOwn(STARTS, name);
}

export function readsOnly(facts: RunFacts): boolean {
  return startOf(facts)?.readsOnly === true;
}

/** Where to see what a run did that could not tell. */
export function traceOf(facts: RunFacts): string {
  const tag = `${MARKER_TAG} = ${facts.namespace}/${facts.workflowId}`;
  return startOf(facts)?.trace ?? `Whatever it made carries the tag ${tag}`;
}

const ADDRESS = /^(?:[\d.]+|[\da-f:.]*:[\da-f:.]*)$/i;

/** The command that starts the same request again. */
export function again(facts: RunFacts, command: Command): string {
  const start = startOf(facts);
  if (start?.readsOnly === true) return command(...start.words);
  const requestId = /^[^/]+\/[^/]+\/(.+)$/.exec(facts.workflowId)?.[1];
  if (requestId === undefined || start === undefined) {
    return 'start it again under the same workflow id';
  }
  // An address is its own request id.
  if (ADDRESS.test(requestId) && start.words.includes('ADDRESS')) {
    return command(...start.words.map((word) => (word === 'ADDRESS' ? requestId : word)));
  }
  return command(...start.words, '--request-id', requestId);
}
