import { z } from 'zod';

import { CREATE_INSTANCE_TASKS } from '../../contract/wire/tasks.js';
import { formatFaults } from '../../engine/core/faults.js';
import { parseInput } from '../../engine/schema/parse-input.js';
import { NameForm } from './name-form.js';

const about = z.registry<{ says: string; source: string }>();

/** A switch: its values, the default first, what it decides, and why its default is what it is. */
function oneOf<const T extends string | boolean>(
  values: readonly [T, ...T[]],
  { says, source }: { says: string; source: string },
) {
  const schema = z.literal<T[]>([...values]).default(() => values[0]);
  about.add(schema, { says, source });
  return schema;
}

/** What no document says about the API, or what it does in more than one way. */
export const openFactsSchema = z.object({
  unknownFields: oneOf(['ignored', 'refused'], {
    says: 'fields and parameters that the simulator does not know',
    source: 'Inferred: official clients send old fields. Refuse them to find a misspelled one.',
  }),
  patchWithoutFields: oneOf(['keep', 'clear'], {
    says: 'what a PATCH of a DDoS profile without `fields` does to them',
    source: 'Undocumented.',
  }),
  sortsLists: oneOf([false, true], {
    says: 'whether lists in values of DDoS fields come back sorted',
    source: 'Undocumented.',
  }),
  profileBirth: oneOf(['on', 'off'], {
    says: 'whether a new DDoS profile is active and has `bgp`',
    source: 'Undocumented. Terraform switches only what should be off.',
  }),
  echoTags: oneOf([false, true], {
    says: 'whether the `data` of a task repeats the tags of its create',
    source: 'Undocumented.',
  }),
  namesLeftovers: oneOf([false, true], {
    says: 'whether a task that ended in ERROR names what it has left in `created_resources`',
    source: 'The guide says that it is null. A public issue shows one that names a volume.',
  }),
  namesInstance: oneOf([true, false], {
    says: 'whether the `data` of a task that changes an instance names it',
    source: 'Undocumented. That of a deletion does.',
  }),
  createTask: oneOf(CREATE_INSTANCE_TASKS, {
    says: 'the type of the task that makes an instance',
    source: 'Documented: basic machines have the second one.',
  }),
  createdVideo: oneOf(['object', 'array'], {
    says: 'whether the answer to the creation of one video is that video, or a list of it',
    source: 'Documented both ways: the newer documents have the object.',
  }),
  nameForm: oneOf(
    [NameForm.asGiven, NameForm.composed, NameForm.squeezed, NameForm.cutAtEmoji, NameForm.short],
    {
      says: 'the form in which the names of videos and of new subtitles are stored',
      source: 'Undocumented.',
    },
  ),
});

export type OpenFacts = Readonly<z.output<typeof openFactsSchema>>;

/** The switches for people: values are texts, the default first. */
export const OPEN_FACTS = Object.entries(openFactsSchema.shape).map(([name, schema]) => ({
  name,
  values: [...schema.unwrap().values].map(String),
  says: about.get(schema)?.says ?? '',
  source: about.get(schema)?.source ?? '',
}));

/** Every fact: as given, or its default. @throws TypeError that names every wrong value */
export function openFacts(given: Partial<OpenFacts>): OpenFacts {
  const named = Object.entries(given).filter(([name]) => name in openFactsSchema.shape);
  const parsed = parseInput(openFactsSchema, Object.fromEntries(named));
  if (parsed.ok) return parsed.value;
  throw new TypeError(`These are no facts of a simulator:\n${formatFaults(parsed.faults)}`);
}

/** Facts as a command line has them: `name=value`. */
export const factListSchema = z
  .array(z.string())
  .transform((texts) => Object.fromEntries(texts.map(toEntry)))
  .pipe(openFactsSchema.strict());

function toEntry(text: string): [string, unknown] {
  const [name = '', value = ''] = text.split('=', 2);
  const isFlag = value === 'true' || value === 'false';
  return [name, isFlag ? value === 'true' : value];
}
