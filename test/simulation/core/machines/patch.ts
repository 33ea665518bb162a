import proto from '@temporalio/proto';

import type { InternalFlags } from '../workflow/internal-flags.js';
import { jsonPayload, type Annotations, type Command, type HistoryEvent } from '../messages.js';
import { patchOf } from './markers.js';
import { nondeterminism, TableMachine, type Response, type Step, type Table } from './machine.js';

const { CommandType, EventType } = proto.temporal.api.enums.v1;

export const CHANGE_VERSION = 'TemporalChangeVersion';
/** The server allows less for one search attribute. */
const MAX_SEARCH_ATTRIBUTE_BYTES = 2048;

const PATCH: Table = {
  name: 'PatchMachine',
  refusal: 'Change machine cannot handle this event:',
  transitions: {
    MarkerCommandCreated: { recordMarker: 'Notified' },
    Notified: { markerRecorded: 'MarkerCommandRecorded' },
  },
  commands: new Map([[CommandType.COMMAND_TYPE_RECORD_MARKER, 'recordMarker']]),
  events: new Map([[EventType.EVENT_TYPE_MARKER_RECORDED, 'markerRecorded']]),
};

export class PatchMachine extends TableMachine {
  readonly patchId: string;

  constructor(patchId: string) {
    super(PATCH, 'MarkerCommandCreated');
    this.patchId = patchId;
  }

  protected override triggerOf(event: HistoryEvent): string | undefined {
    return patchOf(event) === undefined ? undefined : super.triggerOf(event);
  }

  protected override onEvent({ event }: Step): Response[] {
    const id = patchOf(event)?.id ?? '';
    if (id !== this.patchId) {
      throw nondeterminism(`Change id ${id} does not match expected id ${this.patchId}`);
    }
    return [];
  }
}

export function patchCommand(id: string, deprecated: boolean): Command {
  return {
    commandType: CommandType.COMMAND_TYPE_RECORD_MARKER,
    recordMarkerCommandAttributes: {
      markerName: 'core_patch',
      details: { 'patch-data': { payloads: [jsonPayload({ id, deprecated })] } },
    },
  };
}

export interface Patched {
  id: string;
  isReplaying: boolean;
  /** The history has a marker of this patch. */
  isSeen: boolean;
  /** Patches of this run before. */
  others: string[];
  flags: InternalFlags;
  annotations: Annotations;
}

/** A run can be found by its patches: each new one is added to a search attribute. */
export function upsertOfPatch(patched: Patched): Response[] {
  const { id, isReplaying, isSeen, others, flags, annotations } = patched;
  const mayUse = flags.tryUse('upsertOnPatch', !isReplaying);
  if ((isReplaying && !isSeen) || !mayUse) return [];
  const payload = jsonPayload([...new Set([...others, id])].sort());
  if ((payload.data?.length ?? 0) >= MAX_SEARCH_ATTRIBUTE_BYTES) return [];
  payload.metadata = { ...payload.metadata, type: Buffer.from('KeywordList') };
  const command: Command = {
    commandType: CommandType.COMMAND_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES,
    upsertWorkflowSearchAttributesCommandAttributes: {
      searchAttributes: { indexedFields: { [CHANGE_VERSION]: payload } },
    },
  };
  return [{ kind: 'coreCommand', command, annotations }];
}
