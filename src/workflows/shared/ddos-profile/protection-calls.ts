import type {
  DdosProfileView,
  ProfileIntent,
  ProfileOptions,
} from '../../../activities/ddos-profiles.js';
import { paths } from '../../../contract/wire/paths.js';
import type { Place } from '../../../contract/wire/names.js';
import type { PlannedCall } from '../../../engine/schema/documents.js';
import type { Draft } from '../../../engine/plan/planning.js';
import { toResource } from './ddos-run.js';
import {
  judgeStatus,
  describeContentDrift,
  describeOptionsDrift,
  describeDrift,
} from './judge-profile.js';

/** A protection that a plan describes. */
export interface PlannedProtection {
  place: Place;
  before: DdosProfileView | undefined;
  intent: ProfileIntent;
  active: boolean;
  /** Left out: as the profile has it. */
  bgp?: boolean | undefined;
  /** For how long; without an end when left out. */
  holdFor?: string | undefined;
  onFailure: 'rollback' | 'keep';
  /** Where the input asks for the protection, such as `profile`. */
  path: string;
}

/** The changes that would be sent. */
export interface ProtectionChanges {
  content: 'create' | 'update' | 'none';
  options: boolean;
  /** The parts of the earlier state that would have to be restored. */
  restores: { content: boolean; options: boolean };
}

/** Decides like the run: compares the current state with the wanted one and sends only a difference. */
export function changesOf({
  before,
  intent: { profile_template: templateId, fields },
  active,
  bgp,
}: Pick<PlannedProtection, 'before' | 'intent' | 'active' | 'bgp'>): ProtectionChanges {
  if (before === undefined) {
    // The API chooses the options of a new profile.
    return { content: 'create', options: true, restores: { content: true, options: false } };
  }
  const wanted: ProfileOptions = { active, bgp: bgp ?? before.bgp };
  const content = { templateId, fields };
  const options = describeOptionsDrift(before, wanted) !== undefined;
  return {
    content: describeDrift(before, content) === undefined ? 'none' : 'update',
    options,
    restores: { content: describeContentDrift(before, content) !== undefined, options },
  };
}

/** The reads that come first in every case. */
export function planProtectionReads(draft: Draft, place: Place, address?: string): void {
  const { regionId } = place;
  const whose = address ?? 'the public address, which is known once the instance exists';
  const read = (path: string, purpose: string) => {
    draft.calls.push({ method: 'GET', path, purpose });
  };
  read(paths.ddosCoverage(regionId), 'does the region have DDoS protection?');
  read(paths.ddosAccessibility(regionId), 'may the account use it?');
  read(paths.ddosTemplates(regionId), 'what does the template take?');
  read(paths.ddosProfiles(place), `look for a profile of ${whose}`);
}

/** The changes, the looks until they show, and with `holdFor` the calls that restore the earlier state. */
export function planProtection(draft: Draft, planned: PlannedProtection): void {
  const { before } = planned;
  if (before !== undefined) draft.adopts.push(toResource(before.id));
  const sends = changeCalls(planned);
  const isSent = sends.length > 0;
  draft.calls.push(
    ...sends,
    ...(isSent ? [WAIT] : []),
    {
      method: 'GET',
      path: paths.ddosProfiles(planned.place),
      purpose: 'look until the profile shows all changes',
    },
    ...(isSent ? restoreCalls(planned) : []),
  );
  if (!isSent) return;
  listIrreversible(draft, planned);
  if (before !== undefined) warnAboutProfile(draft, planned, before);
}

const WAIT: PlannedCall = {
  method: 'GET',
  path: paths.task('{task_id}'),
  purpose: 'wait until the task of each change has ended',
};

function changeCalls(planned: PlannedProtection): PlannedCall[] {
  const { place, before, active } = planned;
  const { content, options } = changesOf(planned);
  const path = paths.ddosProfile(place, idOf(planned));
  const action = paths.ddosProfileAction(place, idOf(planned));
  const unless = before === undefined ? ', unless a new profile already is' : '';
  const calls: Record<typeof content, PlannedCall[]> = {
    create: [
      {
        method: 'POST',
        path: paths.ddosProfiles(place),
        purpose: `create the profile: ${describeContent(planned)}; sent once`,
      },
    ],
    update: [{ method: 'PATCH', path, purpose: `set the profile to ${describeContent(planned)}` }],
    none: [],
  };
  const purpose = `make it ${active ? 'active' : 'not active'}${unless}`;
  return [...calls[content], ...(options ? [{ method: 'POST', path: action, purpose }] : [])];
}

function restoreCalls(planned: PlannedProtection): PlannedCall[] {
  const { place, before, holdFor } = planned;
  if (holdFor === undefined) return [];
  const path = paths.ddosProfile(place, idOf(planned));
  const action = paths.ddosProfileAction(place, idOf(planned));
  if (before === undefined) {
    const purpose = `after ${holdFor}: remove the profile, because the address has none now`;
    return [{ method: 'DELETE', path, purpose }];
  }
  const changes = changesOf(planned).restores;
  const purpose = `after ${holdFor}: back to ${describeState(before)}`;
  return [
    ...(changes.content ? [{ method: 'PATCH', path, purpose }] : []),
    ...(changes.options ? [{ method: 'POST', path: action, purpose }] : []),
  ];
}

function idOf({ before }: PlannedProtection): number | string {
  return before?.id ?? '{profile_id}';
}

function listIrreversible(draft: Draft, planned: PlannedProtection): void {
  const { before, active, holdFor, onFailure } = planned;
  if (active) {
    draft.irreversible.push('Traffic that the active profile blocks is lost.');
  }
  if (before !== undefined && holdFor === undefined) {
    draft.irreversible.push(
      `After a success nothing restores the present state of profile ${before.id} (${describeState(before)}). The result has it as "before".`,
    );
  }
  if (onFailure === 'keep') {
    draft.irreversible.push('A failure or a cancellation leaves what was made or changed.');
  }
}

/** Warns about oddities of the existing profile. */
function warnAboutProfile(draft: Draft, planned: PlannedProtection, before: DdosProfileView): void {
  const { path, intent, holdFor } = planned;
  const { id, templateId, managedBy } = before;
  const lost = lostFields(before, intent);
  if (lost.length > 0) {
    draft.warn({
      path: `${path}.fields`,
      message: `profile ${id} loses its value in field ${lost.join(', ')}`,
      advice: 'To keep these fields, name them too. Each template has its own fields.',
    });
  }
  const status = judgeStatus(before);
  if (status.kind === 'broken') {
    draft.warn({
      path,
      message: status.note,
      advice:
        'Nothing to do: the run sends the profile again and succeeds only with a sound status.',
    });
  }
  if (managedBy === 'system') {
    draft.warn({
      path,
      message: `profile ${id} is managed by the platform itself`,
      advice: 'The API may refuse to change it: ask its support first.',
    });
  }
  if (templateId !== undefined) return;
  const finding = {
    path: holdFor === undefined ? path : 'holdFor',
    message: `profile ${id} has no template, and the API accepts no profile without one: it cannot be restored`,
    advice: 'Give it a template first, or leave "holdFor" out and restore it by hand.',
  };
  if (holdFor === undefined) draft.warn(finding);
  else draft.fault(finding);
}

/** Ids of the fields whose values the wanted profile does not name or cannot have. */
export function lostFields(before: DdosProfileView, intent: ProfileIntent): number[] {
  const keepsTemplate = before.templateId === intent.profile_template;
  return before.fields
    .filter(({ isUsual }) => !isUsual)
    .map(({ base_field }) => base_field)
    .filter((id) => !keepsTemplate || !intent.fields.some(({ base_field }) => base_field === id));
}

function describeContent({ intent: { profile_template, fields } }: PlannedProtection): string {
  const ids = fields.map(({ base_field }) => base_field).join(', ');
  return `template ${profile_template}, ${ids === '' ? 'no fields' : `fields ${ids}`}`;
}

function describeState({ templateId, active }: DdosProfileView): string {
  return `template ${templateId ?? 'none'}, ${active ? 'active' : 'not active'}`;
}
