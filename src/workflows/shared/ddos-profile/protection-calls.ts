import type {
  DdosProfileView,
  ProfileIntent,
  ProfileOptions,
} from '../../../activities/ddos-profiles.js';
import { paths } from '../../../contract/api/paths.js';
import type { Place } from '../../../contract/place.js';
import type { PlannedCall } from '../../../contract/plan.js';
import type { Draft } from '../../engine/plan/planning.js';
import { toResource } from './ddos-run.js';
import {
  judgeStatus,
  describeContentDrift,
  describeOptionsDrift,
  describeDrift,
} from './judge-profile.js';

/** A protection as it would be brought about. */
export interface PlannedProtection {
  place: Place;
  before: DdosProfileView | undefined;
  intent: ProfileIntent;
  active: boolean;
  /** Missing: as the profile has it. */
  bgp?: boolean | undefined;
  /** How long; for ever when left out. */
  holdFor?: string | undefined;
  onFailure: 'rollback' | 'keep';
  /** Where the input asks for the protection, such as `profile`. */
  path: string;
}

/** What would be sent for it. */
export interface ProtectionChanges {
  content: 'create' | 'update' | 'none';
  options: boolean;
  /** Of the profile as it was, what would have to be put back. */
  restores: { content: boolean; options: boolean };
}

/** As the run decides it: what is there is compared with what is wanted, and only a difference is sent. */
export function changesOf({
  before,
  intent: { profile_template: templateId, fields },
  active,
  bgp,
}: Pick<PlannedProtection, 'before' | 'intent' | 'active' | 'bgp'>): ProtectionChanges {
  if (before === undefined) {
    const options = active || bgp === true;
    return { content: 'create', options, restores: { content: true, options: false } };
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

/** The reads that come first, whatever they show. */
export function planProtectionReads(draft: Draft, place: Place, address?: string): void {
  const { regionId } = place;
  const whose = address ?? 'the public address, which is known once the instance is there';
  const read = (path: string, purpose: string) => {
    draft.calls.push({ method: 'GET', path, purpose });
  };
  read(paths.ddosCoverage(regionId), 'does the region have DDoS protection?');
  read(paths.ddosAccessibility(regionId), 'may the account use it?');
  read(paths.ddosTemplates(regionId), 'what does the template take?');
  read(paths.ddosProfiles(place), `look for a profile of ${whose}`);
}

/** The changes, what is looked at until they show, and with `holdFor` what puts the state before back. */
export function planProtection(draft: Draft, planned: PlannedProtection): void {
  const { before } = planned;
  if (before !== undefined) draft.adopts.push(toResource(before.id));
  const sends = changesFirst(planned);
  const isSent = sends.length > 0;
  draft.calls.push(
    ...sends,
    ...(isSent ? [WAIT] : []),
    {
      method: 'GET',
      path: paths.ddosProfiles(planned.place),
      purpose: 'look until the profile shows it all',
    },
    ...(isSent ? restores(planned) : []),
  );
  if (!isSent) return;
  tellWhatIsFinal(draft, planned);
  if (before !== undefined) tellOfProfile(draft, planned, before);
}

const WAIT: PlannedCall = {
  method: 'GET',
  path: paths.task('{task_id}'),
  purpose: 'wait until the task of each change has ended',
};

function changesFirst(planned: PlannedProtection): PlannedCall[] {
  const { place, before, active } = planned;
  const { content, options } = changesOf(planned);
  const one = paths.ddosProfile(place, idOf(planned));
  const action = paths.ddosProfileAction(place, idOf(planned));
  const unless = before === undefined ? ', unless a new profile is so by itself' : '';
  const calls: Record<typeof content, PlannedCall[]> = {
    create: [
      {
        method: 'POST',
        path: paths.ddosProfiles(place),
        purpose: `create the profile: ${contentOf(planned)}; sent once`,
      },
    ],
    update: [{ method: 'PATCH', path: one, purpose: `set the profile to ${contentOf(planned)}` }],
    none: [],
  };
  const purpose = `make it ${active ? 'active' : 'not active'}${unless}`;
  return [...calls[content], ...(options ? [{ method: 'POST', path: action, purpose }] : [])];
}

function restores(planned: PlannedProtection): PlannedCall[] {
  const { place, before, holdFor } = planned;
  if (holdFor === undefined) return [];
  const one = paths.ddosProfile(place, idOf(planned));
  const action = paths.ddosProfileAction(place, idOf(planned));
  if (before === undefined) {
    const purpose = `after ${holdFor}: remove the profile, because the address has none now`;
    return [{ method: 'DELETE', path: one, purpose }];
  }
  const changes = changesOf(planned).restores;
  const purpose = `after ${holdFor}: back to ${stateOf(before)}`;
  return [
    ...(changes.content ? [{ method: 'PATCH', path: one, purpose }] : []),
    ...(changes.options ? [{ method: 'POST', path: action, purpose }] : []),
  ];
}

function idOf({ before }: PlannedProtection): number | string {
  return before?.id ?? '{profile_id}';
}

function tellWhatIsFinal(draft: Draft, planned: PlannedProtection): void {
  const { before, active, holdFor, onFailure } = planned;
  if (active) {
    draft.irreversible.push('Traffic that is kept away while the profile is active is lost.');
  }
  if (before !== undefined && holdFor === undefined) {
    draft.irreversible.push(
      `After a success nothing puts back what profile ${before.id} is now (${stateOf(before)}); the result has it as "before".`,
    );
  }
  if (onFailure === 'keep') {
    draft.irreversible.push('A failure or a cancellation leaves what was made or changed.');
  }
}

/** What is odd about the profile that is there. */
function tellOfProfile(draft: Draft, planned: PlannedProtection, before: DdosProfileView): void {
  const { path, intent, holdFor } = planned;
  const { id, templateId, managedBy } = before;
  const gone = fieldsGone(before, intent);
  if (gone.length > 0) {
    draft.warn({
      path: `${path}.fields`,
      message: `profile ${id} loses what it has in field ${gone.join(', ')}`,
      advice: 'Name these fields too if they are to stay; a template has fields of its own.',
    });
  }
  const status = judgeStatus(before);
  if (status.kind === 'broken') {
    draft.warn({
      path,
      message: status.note,
      advice: 'Nothing to do: it is sent again, and the run succeeds only with a sound status.',
    });
  }
  if (managedBy === 'system') {
    draft.warn({
      path,
      message: `profile ${id} is one that the platform keeps itself`,
      advice: 'The API may refuse to change it: ask its support first.',
    });
  }
  if (templateId !== undefined) return;
  const finding = {
    path: holdFor === undefined ? path : 'holdFor',
    message: `profile ${id} has no template, and the API takes no profile without one: it cannot be put back`,
    advice: 'Give it a template first, or leave "holdFor" out and put it back by hand.',
  };
  if (holdFor === undefined) draft.warn(finding);
  else draft.fault(finding);
}

/** Ids of fields with values that the wanted profile does not name, or cannot have. */
export function fieldsGone(before: DdosProfileView, intent: ProfileIntent): number[] {
  const stays = before.templateId === intent.profile_template;
  return before.fields
    .filter(({ isUsual }) => !isUsual)
    .map(({ base_field }) => base_field)
    .filter((id) => !stays || !intent.fields.some(({ base_field }) => base_field === id));
}

function contentOf({ intent: { profile_template, fields } }: PlannedProtection): string {
  const ids = fields.map(({ base_field }) => base_field).join(', ');
  return `template ${profile_template}, ${ids === '' ? 'no fields' : `fields ${ids}`}`;
}

function stateOf({ templateId, active }: DdosProfileView): string {
  return `template ${templateId ?? 'none'}, ${active ? 'active' : 'not active'}`;
}
