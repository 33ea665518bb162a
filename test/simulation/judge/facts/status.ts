import type { RunRecord } from '../../world/records.js';
import { at, listAt, textAt } from './values.js';
import { fromRanges } from '../../../../src/engine/core/number-ranges.js';
import type { RowKind, RowRef } from './rows.js';

export interface NamedResource {
  kind: string;
  id: string;
  /** State of the step that names it. */
  step: string | undefined;
}

export function phaseOf({ status }: Pick<RunRecord, 'status'>): string | undefined {
  return textAt(status, 'phase');
}

export function stepsOf({ status }: Pick<RunRecord, 'status'>): readonly unknown[] {
  return listAt(status, 'steps');
}

/** What an earlier run has left, in words: it is not what was asked for. */
export function notesOfLeft(run: Pick<RunRecord, 'status'>): string[] {
  const notes = stepsOf(run).map((step) => textAt(step, 'note') ?? '');
  return notes.filter((note) => note.startsWith('an earlier run has left '));
}

function toNamed(resource: unknown, step: string | undefined): NamedResource[] {
  const kind = textAt(resource, 'kind');
  const id = textAt(resource, 'id');
  return kind === undefined || id === undefined ? [] : [{ kind, id, step }];
}

/** What the status of a run names. */
export function ledgerOf(run: Pick<RunRecord, 'status'>): NamedResource[] {
  return stepsOf(run).flatMap((step) =>
    listAt(step, 'resources').flatMap((resource) => toNamed(resource, textAt(step, 'state'))),
  );
}

/** Of the failure of a run: of Temporal's form, or that of the product. */
function failureDetailsOf(failure: unknown): unknown {
  return listAt(failure, 'details')[0] ?? at(failure, 'details') ?? at(failure, 'cause', 'details');
}

export function failureTypeOf(failure: unknown): string | undefined {
  return (
    textAt(failure, 'type') ??
    textAt(failure, 'applicationFailureInfo', 'type') ??
    textAt(failure, 'cause', 'type')
  );
}

/** What the status or the failure of a run names. */
export function namedBy(run: Pick<RunRecord, 'status' | 'failure'>): NamedResource[] {
  const ofFailure = [
    failureDetailsOf(run.failure),
    at(run.failure, 'cause', 'details', '0'),
  ].flatMap((details) =>
    listAt(details, 'resources').flatMap((resource) => toNamed(resource, undefined)),
  );
  return [...ledgerOf(run), ...ofFailure];
}

const KINDS: Readonly<Record<string, RowKind>> = {
  instance: 'instances',
  volume: 'volumes',
  snapshot: 'snapshots',
  'floating-ip': 'floatingIps',
  'ddos-profile': 'ddosProfiles',
  'ssh-key': 'sshKeys',
  'kv-store': 'kvStores',
  'sftp-storage': 'sftpStorages',
  subtitles: 'subtitles',
  video: 'videos',
};

/** The rows that a resource of a ledger means; a link is none. */
export function rowsOf({ kind, id }: NamedResource): RowRef[] {
  const rows = KINDS[kind];
  if (rows !== undefined) return [{ rows, id }];
  if (kind !== 'videos') return [];
  return [...fromRanges(id)].map((number) => ({ rows: 'videos', id: String(number) }));
}

/** Whether the run says of a step that nobody knows what became of it. */
export function saysUnknown(run: Pick<RunRecord, 'status' | 'failure'>): boolean {
  const isUnknown = stepsOf(run).some((step) => textAt(step, 'state') === 'outcome-unknown');
  return isUnknown || failureTypeOf(run.failure) === 'OutcomeUnknown';
}
