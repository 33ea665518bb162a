import { isCancellation } from '@temporalio/workflow';

import type { PreparedGrantSftpAccess } from '../../../contract/prepared/grant-sftp-access.js';
import type { SshKeyView } from '../../../activities/ssh-keys.js';
import { FailureType, type Fault } from '../../../contract/failures.js';
import { StepState } from '../../../contract/status.js';
import type { Api } from '../../engine/run/api.js';
import { failure } from '../../engine/run/failures.js';
import type { StepRecorder } from '../../engine/run/ledger.js';
import type { Run } from '../../engine/run/run-types.js';
import type { AssertInput } from '../../engine/run/restart-on-corrected-input.js';
import { walkSshKeys } from '../../shared/ssh-keys/walk-ssh-keys.js';

export type GrantRun = Run<PreparedGrantSftpAccess>;

/** A key of the storage area, by its name. */
export type NamedKey = Pick<SshKeyView, 'id' | 'name'>;

/**
 * The keys of these names, in their order: exactly one for each, in the registry of the storage area.
 * Fails as `InvalidRequest` with every name that there is not, or more than once.
 */
export async function findSftpKeys(
  run: GrantRun,
  step: StepRecorder,
  assertInput: AssertInput,
): Promise<NamedKey[]> {
  step.set(StepState.waiting);
  const { keyNames, projectId } = run.prepared;
  const found: NamedKey[][] = [];
  for (const name of keyNames) found.push(await keysNamed(run, name));
  const faults = await faultsOf(run.api.direct, { keyNames, projectId, found });
  assertInput();
  if (faults.length > 0) {
    step.set(StepState.failed, { note: faults.map(({ message }) => message).join('; ') });
    throw unusable(faults);
  }
  const keys = found.flat();
  step.set(StepState.verified, { note: keys.map(nameAndId).join(', ') });
  return keys;
}

/** The API's filter takes a part of a name; here the whole name counts. */
async function keysNamed(run: Run, name: string): Promise<NamedKey[]> {
  const keys = await walkSshKeys(run, { name });
  return keys.filter((key) => key.name === name).map(({ id }) => ({ id, name }));
}

interface Found {
  keyNames: string[];
  projectId: number | undefined;
  /** The keys of each name. */
  found: NamedKey[][];
}

/** Every name that is not the name of one key, with what to do. */
export async function faultsOf(
  reads: Api['direct'],
  { keyNames, projectId, found }: Found,
): Promise<Fault[]> {
  const missing = keyNames.filter((_, index) => found[index]?.length === 0);
  const elsewhere = await lookElsewhere(reads, projectId, missing);
  return keyNames.flatMap((name, index): Fault[] => {
    const keys = found[index] ?? [];
    if (keys.length === 1) return [];
    const path = `keyNames[${index}]`;
    if (keys.length === 0) return [{ path, message: missingKey(name, projectId, elsewhere) }];
    const ids = keys.map(({ id }) => id).join(', ');
    return [
      {
        path,
        message: `${keys.length} keys have the name "${name}" (ids ${ids}): remove those that are not meant, or give one another name`,
      },
    ];
  });
}

/** Names that there are in the registry of instances; `undefined` when nobody could look. */
async function lookElsewhere(
  reads: Api['direct'],
  projectId: number | undefined,
  names: string[],
): Promise<string[] | undefined> {
  if (projectId === undefined) return undefined;
  if (names.length === 0) return [];
  try {
    const summary = 'are the missing names keys of instances?';
    const options = { summary, retry: { maximumAttempts: 2 } };
    return await reads.findCloudSshKeyNames.executeWithOptions(options, [{ projectId, names }]);
  } catch (error) {
    if (isCancellation(error)) throw error;
    // Only good to know: the failure that it would explain is certain already.
    return undefined;
  }
}

function missingKey(
  name: string,
  projectId: number | undefined,
  elsewhere: readonly string[] | undefined,
): string {
  const add = 'add its public key with POST /storage/v4/ssh_keys';
  const there = `no key of GET /storage/v4/ssh_keys has the name "${name}"`;
  if (elsewhere?.includes(name) === true) {
    return `${there}. There is one in the other registry (/cloud/v1/ssh_keys/${projectId ?? ''}), which is for instances: ${add}`;
  }
  return `${there}: check the spelling (gcore-workflows ssh-keys), or ${add}`;
}

function unusable(faults: Fault[]): Error {
  const said = faults.map(({ path, message }) => `${path}: ${message}`).join('; ');
  return failure(FailureType.invalidRequest, `${said}.`, {
    advice: 'Correct the named fields and start again; nothing was sent.',
    faults,
  });
}

function nameAndId({ name, id }: NamedKey): string {
  return `${name} (${id})`;
}
