import { InvalidArgumentError, type Command } from 'commander';

import {
  GROUP,
  isLabelName,
  isLabelValue,
  LABEL_NAME_RULE,
  LABEL_VALUE_RULE,
  type Labels,
} from '../../engine/core/labels.js';
import { parseCount, parseRequestId, parseSeconds } from './parse-option.js';

export interface LabelOptions {
  group?: string;
  label?: Labels;
}

/** Options of a command that starts a run. */
export interface RunOptions extends LabelOptions {
  account?: string;
  requestId?: string;
  wait: boolean;
  timeout?: number;
  join?: true;
}

export interface PlaceOptions {
  project?: number;
  region?: number;
}

/** @param names what the id of a request is for, and by default */
export function takesRunOptions(command: Command, names: string): Command {
  return takesLabels(command)
    .option('--account <NAME>', 'which API key of the workers to use')
    .option('--request-id <ID>', names, parseRequestId)
    .option('--no-wait', 'print the workflow id and do not wait')
    .option('--timeout <SECONDS>', 'stop watching then; the run continues', parseSeconds)
    .option('--join', 'take the run that this request has, whatever its input');
}

export function takesPlace(command: Command): Command {
  return command
    .option('--project <ID>', 'instead of the default of the worker', parseCount)
    .option('--region <ID>', 'instead of the default of the worker', parseCount);
}

export function takesLabels(command: Command, says = 'a label of the run; repeatable'): Command {
  return command
    .option('--group <NAME>', 'the same as --label group=NAME', parseGroup)
    .option('-l, --label <NAME=VALUE>', says, addLabel);
}

/** The labels of the options; `undefined` when there are none. */
export function labelsOf({ group, label }: LabelOptions): Labels | undefined {
  if (group === undefined) return label;
  return { ...label, [GROUP]: group };
}

/** What these options say in an input; fields that are left out are missing. */
export function runFields({ account, ...options }: RunOptions): object {
  const labels = labelsOf(options);
  return { ...(account !== undefined && { account }), ...(labels && { labels }) };
}

export function placeFields({ project, region }: PlaceOptions): object {
  return {
    ...(project !== undefined && { projectId: project }),
    ...(region !== undefined && { regionId: region }),
  };
}

/** An input of a file, with what the options add to it. Whatever it is, the schema judges it. */
export function withRunFields(input: unknown, options: RunOptions): unknown {
  if (!(input instanceof Object) || Array.isArray(input)) return input;
  const fields: Record<string, unknown> = Object.fromEntries(Object.entries(input));
  const before = fields['labels'];
  const own = before instanceof Object ? Object.fromEntries(Object.entries(before)) : {};
  const labels = labelsOf(options);
  return { ...fields, ...runFields(options), ...(labels && { labels: { ...own, ...labels } }) };
}

function parseGroup(text: string): string {
  if (isLabelValue(text)) return text;
  throw new InvalidArgumentError(`It ${LABEL_VALUE_RULE}.`);
}

/** `--label team=media`, several times; collects them. */
function addLabel(text: string, before: Labels = {}): Labels {
  const at = text.indexOf('=');
  const [name, value] = [text.slice(0, at), text.slice(at + 1)];
  if (at <= 0) throw new InvalidArgumentError('It must be of the form team=media.');
  if (!isLabelName(name)) throw new InvalidArgumentError(`Its name ${LABEL_NAME_RULE}.`);
  if (!isLabelValue(value)) throw new InvalidArgumentError(`Its value ${LABEL_VALUE_RULE}.`);
  return { ...before, [name]: value };
}
