import type { InstanceView } from '../../../activities/instances.js';
import type { CreateInstanceBody } from '../../../contract/api/create-instance-body.js';
import type { PreparedProvisionInstance } from '../../../contract/wire/prepared.js';
import type { Place } from '../../../contract/wire/names.js';
import { FailureType } from '../../../engine/core/failures.js';
import { failure, orUndefinedIfGone } from '../../../engine/run/failures.js';
import { parkWhileBlocked } from '../../../engine/run/park-while-blocked.js';
import { lookUntilGraceEnds } from '../../../engine/wait/look-until.js';
import type { Run } from '../../gcore.js';

type ProvisionRun = Run<PreparedProvisionInstance, { instance: CreateInstanceBody }>;

/** An instance, and its address to protect. */
export interface Public {
  instance: InstanceView;
  address: string;
}

/**
 * Finds the address to protect: a floating IP, if the request asks for one. An answer may not show it yet, or may lack it once,
 * so the run looks through the grace time. When no floating IP shows then, it blocks: another address is not what is meant.
 */
export async function findPublicAddress(
  run: ProvisionRun,
  { instance, place }: { instance: InstanceView; place: Place },
): Promise<Public> {
  const isFloating = asksForFloatingIp(run.input.instance);
  const until = Date.now() + run.prepared.policy.reconcileGraceMs;
  const sought = { instance, place, isFloating, until };
  return publicIn(instance, isFloating) ?? parkWhileBlocked(run, () => lookForAddress(run, sought));
}

interface Sought {
  instance: InstanceView;
  place: Place;
  isFloating: boolean;
  /** When the grace time ends, in milliseconds since the epoch. */
  until: number;
}

function lookForAddress(
  run: ProvisionRun,
  { instance, place, isFloating, until }: Sought,
): Promise<Public> {
  const { id: instanceId } = instance;
  const name = `the public address of instance ${instanceId} to show`;
  return lookUntilGraceEnds(run, { name, until }, async (isLate) => {
    const seen = await orUndefinedIfGone(run.api.reads.getInstance({ ...place, instanceId }));
    const found = seen && publicIn(seen, isFloating);
    if (found === undefined && isLate) throw notShownFailure(instanceId, isFloating);
    return found;
  });
}

function asksForFloatingIp({ interfaces }: CreateInstanceBody): boolean {
  return interfaces.some((item) => item.type !== 'external' && item.floating_ip !== undefined);
}

function publicIn(instance: InstanceView, isFloating: boolean): Public | undefined {
  const { publicAddress: address, addresses } = instance;
  const isMeant = !isFloating || addresses.some(({ type }) => type === 'floating');
  return address === null || !isMeant ? undefined : { instance, address };
}

function notShownFailure(id: string, isFloating: boolean): Error {
  return isFloating
    ? failure(
        FailureType.outcomeUnknown,
        `Instance ${id} does not show the floating IP that it was asked to have.`,
        { advice: 'Look at the floating IPs of the project. `resume` looks again, `abort` ends.' },
      )
    : failure(FailureType.invalidRequest, `Instance ${id} has no public address to protect.`, {
        advice: 'Give it an external interface or a floating IP, or leave out "protect".',
      });
}
