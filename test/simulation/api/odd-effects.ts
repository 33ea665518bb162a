import type { SimulatorState } from '../../../src/simulator/index.js';
import type { Draw } from '../time/draw.js';
import { isRow, parse, type Row } from './api-answer.js';
import type { ApiCall } from './api-call.js';
import type { Odd, OddityOptions } from './oddity.js';

/** Longest time that lists show nothing of a change. With the longest way of a call it is below two minutes. */
const MOST_LAG_MS = 45_000;

const CREATES = /^\/cloud\/v\d\/(?:ddos\/profiles|[a-z_]+)\/…\/…$/;

/** Lists, and those of tasks, show the effect of a change some time later. */
export function laggingLists({ chaos, simulator }: OddityOptions): Odd {
  return {
    prepare(call) {
      const isVideo = call.area === 'streaming' && call.method === 'POST';
      if (!call.isMutation || !(call.area === 'cloud' || isVideo)) return undefined;
      const draw = chaos.strikes('lagging list', call.occasion);
      if (draw === undefined) return undefined;
      const ms = draw.number(1_000, MOST_LAG_MS);
      // Of anything but a create, only the task can lag.
      const tasksAtOnce = CREATES.test(call.template) && draw.chance(0.5);
      simulator.faults.add({ match: {}, action: { kind: 'list-lag', ms, tasksAtOnce } });
      return { says: `LISTS LAG ${(ms / 1_000).toFixed(1)} s` };
    },
  };
}

type Leftovers = NonNullable<SimulatorState['tasks'][number]['failure']>['leftovers'];

/** What a failed task of a call may leave. */
const LEFTOVERS: readonly (readonly [RegExp, readonly Leftovers[]])[] = [
  [/^POST \/cloud\/v2\/instances\/…\/…$/, ['none', 'volume', 'instance', 'apart']],
  [/^POST \/cloud\/v1\/volumes\/…\/…$/, ['none', 'volume']],
  [/^POST \/cloud\/v1\/ddos\/profiles\/…\/…$/, ['none', 'profile']],
];

const NOTHING: readonly Leftovers[] = ['none'];

const TASK_ERRORS = [
  'No valid host was found. There are not enough hosts available.',
  'Not enough resources in the region',
  'Quota limit for volume_size exceeded by 20',
  'Internal error',
  'Failed to build the resource: timed out',
] as const;

/** Whether a call starts a task. Names and tags change at once, and keys have no tasks. */
function startsTask({ isMutation, area, method, template }: ApiCall): boolean {
  if (!isMutation || area !== 'cloud' || template.includes('/ssh_keys/')) return false;
  return method !== 'PATCH' || /\/(?:floatingips|profiles)\//.test(template);
}

/** Tasks end in ERROR, and leave what such tasks can leave. */
export function taskErrors({ chaos, simulator }: OddityOptions): Odd {
  return {
    prepare(call) {
      const draw = startsTask(call) ? chaos.strikes('task error', call.occasion) : undefined;
      if (draw === undefined) return undefined;
      const key = `${call.method} ${call.template}`;
      const [, possible] = LEFTOVERS.find(([calls]) => calls.test(key)) ?? [];
      const leftovers = draw.pick(possible ?? NOTHING);
      const error = draw.pick(TASK_ERRORS);
      simulator.faults.add({ match: {}, action: { kind: 'task-error', error, leftovers } });
      return { says: `ITS TASK WILL FAIL (${error}; leaves ${leftovers})` };
    },
  };
}

const LONGEST_TEXT = 64;
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const TEXT_FORMS: readonly { name: string; of: (text: string) => string }[] = [
  { name: 'TRIMMED', of: (text) => text.replaceAll(/\s+/g, ' ').trim() },
  { name: 'COMPOSED', of: (text) => text.normalize('NFC') },
  { name: 'DECOMPOSED', of: (text) => text.normalize('NFD') },
  { name: 'IN LOWER CASE', of: (text) => text.toLowerCase() },
  { name: 'CUT', of: (text) => Array.from(text).slice(0, LONGEST_TEXT).join('') },
  { name: 'ESCAPED', of: (text) => text.replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign) },
];
type TextForm = (typeof TEXT_FORMS)[number];

/** Whether the API keeps the one text as the other. */
export function isKeptAs(given: string, kept: string): boolean {
  return given === kept || TEXT_FORMS.some(({ of }) => of(given) === kept);
}

/** Texts that people choose, wherever they stand in a body. */
const FREE_TEXTS: ReadonlySet<string> = new Set(['name', 'comment', 'description']);
/** Below these, users choose the names of fields too. */
const OPAQUE: ReadonlySet<string> = new Set(['tags', 'configuration', 'metadata']);

/** The API keeps free texts in a form of its own: from the first text that it would change, the same for all. */
export function textForms({ chaos }: OddityOptions): Odd {
  let form: TextForm | undefined;
  const drawForm = (call: ApiCall, json: unknown): TextForm | undefined => {
    const effective = TEXT_FORMS.filter(({ of }) => changeTexts(structuredClone(json), of));
    const draw = effective.length > 0 ? chaos.strikes(KIND, call.occasion) : undefined;
    return draw === undefined ? undefined : pickForm(draw, effective);
  };
  return {
    prepare(call, body) {
      if (!call.isMutation || body === undefined || !chaos.isOn(KIND)) return undefined;
      const json = parse(body);
      form ??= drawForm(call, json);
      if (form === undefined || !changeTexts(json, form.of)) return undefined;
      return { body: JSON.stringify(json), says: `TEXTS KEPT ${form.name}` };
    },
  };
}

const KIND = 'other form of a text';

function pickForm(draw: Draw, forms: readonly TextForm[]): TextForm {
  return draw.pick(forms);
}

/** Changes all free texts in place. Whether any of them changed. */
function changeTexts(json: unknown, form: (text: string) => string): boolean {
  if (Array.isArray(json)) {
    return json.map((item: unknown) => changeTexts(item, form)).includes(true);
  }
  if (!isRow(json)) return false;
  const names = Object.keys(json).filter((name) => !OPAQUE.has(name));
  return names.map((name) => changeText(json, name, form)).includes(true);
}

function changeText(row: Row, name: string, form: (text: string) => string): boolean {
  const value = row[name];
  if (typeof value !== 'string' || !FREE_TEXTS.has(name)) return changeTexts(value, form);
  const changed = form(value);
  // No store keeps nothing of a name.
  if (changed === value || changed === '') return false;
  row[name] = changed;
  return true;
}
