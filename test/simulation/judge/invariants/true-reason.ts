import { statusOf } from '../../../../src/simulator/http/format-floating-ip.js';
import type { Strike } from '../../world/chaos.js';
import type { SimulatorState } from '../../../../src/simulator/index.js';
import type { RunRecord } from '../../world/records.js';
import { wasAsked, type Facts } from '../facts/facts.js';
import { namesNeeded } from '../../api/needed-fields.js';
import { isAliveIn } from '../facts/rows.js';
import { isMutating } from '../facts/effects.js';
import { ledgerOf, rowsOf } from '../facts/status.js';
import { at, textAt } from '../facts/values.js';
import { profilesOf } from '../promises/addresses.js';

type Judge = (facts: Facts, run: RunRecord, cloud: SimulatorState) => boolean;

/** What each reason of a block needs in the cloud, hours after the last fault. Others are believed. */
const REASONS: Readonly<Record<string, Judge>> = {
  ResourceBusy: (_facts, run, cloud) => isHeld(run, cloud) || hasChanged(run, cloud),
  QuotaExceeded: (_facts, _run, cloud) => Object.keys(cloud.quotas).length > 0,
  CapacityUnavailable: (_facts, _run, cloud) => cloud.soldOutFlavors.length > 0,
  UnexpectedResponse: (facts, run) => lacksWhatIsNeeded(facts, run),
  // Every key is accepted again.
  Unauthorized: () => false,
  Defect: () => false,
  OutcomeUnknown: (facts, run, cloud) => mayBeUnknown(facts, run, cloud),
  RemovalBlocked: (_facts, run, cloud) => isAnythingLeft(run, cloud),
};

export function isReasonTrue(facts: Facts, run: RunRecord, type: string): boolean {
  const judge = REASONS[type];
  const { lastStrikeAt } = facts.evidence;
  return judge === undefined || judge(facts, run, facts.timeline.after(lastStrikeAt));
}

/** It says so, and what it names is in the status that it says. */
function hasChanged({ input, status }: RunRecord, cloud: SimulatorState): boolean {
  const message = textAt(status, 'blocked', 'message') ?? '';
  const now = /the status changed from \S+ to (\S+?)\.?$/.exec(message)?.[1];
  const named = JSON.stringify(input);
  const addresses = cloud.floatingIps.map((row) => ({ id: row.id, status: statusOf(row) }));
  return [...cloud.instances, ...cloud.volumes, ...addresses].some(
    (row) => named.includes(row.id) && row.status === now,
  );
}

/** A gap may last, and nothing else of an answer does. */
function lacksWhatIsNeeded({ evidence: { strikes = [] } }: Facts, { status }: RunRecord): boolean {
  const message = textAt(status, 'blocked', 'message') ?? '';
  return strikes.some(isGap) && namesNeeded(message);
}

function isGap({ kind }: Strike): boolean {
  return kind === 'null field' || kind === 'missing field';
}

const BETWEEN: ReadonlySet<string> = new Set([
  'BUILD',
  'REBOOT',
  'HARD_REBOOT',
  'RESIZE',
  'attaching',
  'detaching',
  'extending',
  'reverting',
  'creating',
  'deleting',
]);

/** A task or a status holds one of the things that the input or the ledger names. */
function isHeld(run: RunRecord, cloud: SimulatorState): boolean {
  const named = `${JSON.stringify(run.input)} ${ledgerOf(run)
    .map(({ id }) => id)
    .join(' ')}`;
  const lists = [
    cloud.instances,
    cloud.volumes,
    cloud.floatingIps,
    cloud.snapshots,
    cloud.reservedFixedIps,
  ];
  return lists.flat().some((row) => {
    const status = 'status' in row ? row.status : undefined;
    return (
      named.includes(row.id) &&
      (row.taskId !== null || (status !== undefined && BETWEEN.has(status)))
    );
  });
}

/** It has sent something that may have arrived, or several things are what it looks for, or tasks do not say what they are of. */
function mayBeUnknown(facts: Facts, run: RunRecord, cloud: SimulatorState): boolean {
  const hasSent = facts.callsOf(run.workflowId).some(isMutating);
  const address = textAt(run.input, 'profile', 'ip_address') ?? textAt(run.input, 'address');
  const isSeveral = address !== undefined && profilesOf(cloud, address).length > 1;
  const isOfEarlier =
    facts.runsOf(run.workflowId).length > 1 || at(run.input, 'madeBy') !== undefined;
  const areTasksVague = (facts.evidence.strikes ?? []).some(
    (strike) => isGap(strike) && strike.occasion.startsWith('GET /cloud/v1/tasks #'),
  );
  // Nothing but its task and its look would show a call that the run has sent before it was reset.
  const isCallOfReset = run.operation === 'callApi' && wasAsked(facts, 'reset', run.workflowId);
  return hasSent || isSeveral || isOfEarlier || areTasksVague || isCallOfReset;
}

/** What it is to remove is still there. */
function isAnythingLeft(run: RunRecord, cloud: SimulatorState): boolean {
  const text = JSON.stringify(run.input);
  const named = ledgerOf(run).flatMap(rowsOf);
  const rows = [
    ...cloud.sshKeys.map(({ id }) => ({ rows: 'sshKeys' as const, id })),
    ...cloud.kvStores.map(({ id }) => ({ rows: 'kvStores' as const, id })),
    ...cloud.videos.map(({ id }) => ({ rows: 'videos' as const, id })),
    ...cloud.instances.map(({ id }) => ({ rows: 'instances' as const, id })),
  ].filter(({ id }) => text.includes(`:${id}`) || text.includes(`"${id}"`));
  const address = textAt(run.input, 'address');
  const hasProfile = address !== undefined && profilesOf(cloud, address).length > 0;
  return hasProfile || [...named, ...rows].some((ref) => isAliveIn(cloud, ref));
}
