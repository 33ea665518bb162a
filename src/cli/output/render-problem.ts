import type { FailureDetails } from '../../contract/index.js';
import { ExitCode, type Problem } from '../cli-error.js';
import { align } from './align.js';
import { plain, type Paint } from './terminal-text.js';

/** A problem as text: what happened, every fault, what still exists, what to do. */
export function renderProblem(problem: Problem, paint: Paint = plain): string[] {
  const { type, message, advice, workflowId, faults = [], details = {} } = problem;
  const facts = [
    ...leftovers(details, message),
    ...(details.step === undefined ? [] : [['at step', details.step]]),
    ...apiFacts(details),
    ...(workflowId === undefined ? [] : [['run', workflowId]]),
    ['what to do', advice],
  ];
  return [
    runContinues(problem) ? message : `${paint('bad', `Error: ${type}:`)} ${message}`,
    ...align(faults.map(({ path, message: rule }) => [`  ${path}`, rule])),
    ...align(facts.map(([name = '', text = '']) => [`  ${name}`, text])),
  ];
}

/** The watching ended, but the run continues: nothing went wrong. */
function runContinues({ exitCode }: Problem): boolean {
  return exitCode === ExitCode.timeout || exitCode === ExitCode.detached;
}

/** Resources that still exist and that the message does not name. */
function leftovers({ resources = [] }: Partial<FailureDetails>, message: string): string[][] {
  return resources
    .filter(({ id }) => !message.includes(id))
    .map(({ kind, id }) => ['still there', `${kind} ${id}`]);
}

function apiFacts(details: Partial<FailureDetails>): string[][] {
  const { method, path, status, code, requestId, taskId } = details;
  const answer = [status, code].filter((part) => part !== undefined).join(' ');
  const call = [method, path].filter((part) => part !== undefined).join(' ');
  return [
    ...(call === '' ? [] : [['API call', answer === '' ? call : `${call}: ${answer}`]]),
    ...(requestId === undefined ? [] : [['request id', requestId]]),
    ...(taskId === undefined ? [] : [['task', taskId]]),
  ];
}

/** A problem as JSON on one line. */
export function toErrorJson({
  type,
  message,
  advice,
  workflowId,
  faults,
  details,
}: Problem): string {
  return JSON.stringify({ error: { type, message, advice, workflowId, faults, details } });
}

/** Reads the raw arguments, because wrong ones leave the options unparsed. */
export function asksForJson(args: readonly string[]): boolean {
  return /(^|\n)(-o\n?|--output[\n=])json(\n|$)/.test(args.join('\n'));
}
