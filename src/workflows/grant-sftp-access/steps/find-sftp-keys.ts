import { isCancellation } from '@temporalio/workflow';

import type { PreparedGrantSftpAccess } from '../../../contract/wire/prepared.js';
import type { SshKeyView } from '../../../activities/ssh-keys.js';
import { FailureType, type Fault } from '../../../engine/core/failures.js';
import { StepState } from '../../../engine/core/status.js';
import type { Api, Run } from '../../gcore.js';
import { failure } from '../../../engine/run/failures.js';
import type { StepRecorder } from '../../../engine/run/ledger.js';
import type { AssertInput } from '../../../engine/run/restart-on-corrected-input.js';

export type GrantRun = Run<PreparedGrantSftpAccess>;

/** An SSH key for SFTP storages, by its name. */
export type NamedKey = Pick<SshKeyView, 'id' | 'name'>;

/**
 * Finds exactly one key for each name, in the registry for SFTP storages. Fails as `InvalidRequest` and
 * names every key that is missing or not unique.
 */
export async function findSftpKeys(
  run: GrantRun,
  step: StepRecorder,
  assertInput: AssertInput,
): Promise<NamedKey[]> {
  step.set(StepState.waiting);
  const { keyNames, projectId } = run.prepared;
  await run.controls.untilUnpaused();
  const summary = `keys named ${keyNames.join(', ')}`;
  const ids = await run.api.reads.listSshKeyIds.executeWithOptions({ summary }, [
    { names: keyNames },
  ]);
  const found = ids.map(({ name, ids: ofName }) => ofName.map((id) => ({ id, name })));
  const faults = await faultsOf(run.api.direct, { keyNames, projectId, found });
  assertInput();
  if (faults.length > 0) {
    step.set(StepState.failed, { note: faults.map(({ message }) => message).join('; ') });
    throw unusableKeysFailure(faults);
  }
  const keys = found.flat();
  step.set(StepState.verified, { note: keys.map(nameAndId).join(', ') });
  return keys;
}

interface FoundKeys {
  keyNames: string[];
  projectId: number | undefined;
  /** The keys of each name, in the order of the names. */
  found: NamedKey[][];
}

/** Every name that is not the name of exactly one key, and what to do about it. */
export async function faultsOf(
  reads: Api['direct'],
  { keyNames, projectId, found }: FoundKeys,
): Promise<Fault[]> {
  const missing = keyNames.filter((_, index) => found[index]?.length === 0);
  const elsewhere = await lookElsewhere(reads, projectId, missing);
  return keyNames.flatMap((name, index): Fault[] => {
    const keys = found[index] ?? [];
    if (keys.length === 1) return [];
    const path = `keyNames[${index}]`;
    if (keys.length === 0)
      return [{ path, message: describeMissingKey(name, projectId, elsewhere) }];
    const ids = keys.map(({ id }) => id).join(', ');
    return [
      {
        path,
        message: `${keys.length} keys have the name "${name}" (ids ${ids}): remove the wrong ones, or rename one`,
      },
    ];
  });
}

/** The names that exist in the registry for instances; `undefined` when that read failed. */
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
    // This read only explains a failure that is certain already.
    return undefined;
  }
}

function describeMissingKey(
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

function unusableKeysFailure(faults: Fault[]): Error {
  const message = faults.map(({ path, message: fault }) => `${path}: ${fault}`).join('; ');
  return failure(FailureType.invalidRequest, `${message}.`, {
    advice: 'Correct the named fields and start again. Nothing was sent.',
    faults,
  });
}

function nameAndId({ name, id }: NamedKey): string {
  return `${name} (${id})`;
}
