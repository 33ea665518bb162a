import { readFileSync } from 'node:fs';

import { toApplicationFailure } from '../../src/engine/http/describe-failure.js';
import { ADVICE } from '../../src/activities/advice.js';
import { toProblem } from '../../src/cli/output/to-problem.js';
import { RunFailedError } from '../../src/client/index.js';
import { FailureType } from '../../src/engine/core/failures.js';
import { isBlocking } from '../../src/engine/run/park-while-blocked.js';

/** The text of docs/failures.md, from the code. */
export function failuresPage(): string {
  return [HEAD, ...Object.values(FailureType).map(sectionOf)].join('\n');
}

const HEAD = `# Failure types

<!-- Generated from the code by "npm run docs:write"; a test compares them. -->

\`type\` of every failure is one of these. \`details[0]\` of the failure has \`advice\` and, where they are known, \`step\`,
\`method\`, \`path\`, \`status\`, \`code\`, \`requestId\`, \`taskId\`, \`faults\` and \`resources\`: what still exists.
An advice here is the general one: a failure may have a better one.
[workflows.md](workflows.md) says which operation fails in which way. No failure holds a secret.

An outage, a rate limit, a lost answer and a restart are no failures of a run: it waits, and says so.
`;

function sectionOf(type: FailureType): string {
  const failure = failureOf(type);
  const lines = [meaningOf(type), happens(type), `${SAYS}${ADVICE[type]}`, exitOf(type)];
  return [`## ${failure.type ?? type}`, '', ...lines.map((line) => `- ${line}`), ''].join('\n');
}

const SAYS = 'Advice: ';

function failureOf(type: FailureType) {
  return toApplicationFailure({ type, message: 'It failed', details: {} });
}

/** What the sets of retryable and blocking types do not say. */
const PARTICULAR: Partial<Record<FailureType, string>> = {
  [FailureType.invalidInput]:
    'The run fails at once. The client and the commands refuse before they start a run.',
  [FailureType.outcomeUnknown]:
    'The run looks for the result for the grace time and goes on with what it finds. Where the evidence contradicts itself it [blocks](provision.md#blocked-a-person-must-act), and removes nothing on a guess; with `onBlocked: "fail"` it fails.',
  [FailureType.resourceBusy]:
    'The call is sent again until the API takes it. One that meets it ten times in a row [blocks](provision.md#blocked-a-person-must-act) the run. Where no task, no status and no word of the API shows a lock, three in a row are a refusal: the run fails as `InvalidRequest`.',
  [FailureType.unexpectedResponse]:
    'A read is repeated for a minute or a few. If it still cannot be read, the run [blocks](provision.md#blocked-a-person-must-act); with `onBlocked: "fail"` it fails. A change is never sent again on a guess.',
  [FailureType.itemsFailed]:
    'The run fails and keeps what it made. `retry` takes only what failed.',
  [FailureType.decryptionFailed]:
    'The run waits: Temporal repeats the workflow task and the reads until a worker with the key comes. A call that changes something was not sent, and is sent then.',
  [FailureType.refused]: 'The update fails; the run goes on as before.',
};

function happens(type: FailureType): string {
  const particular = PARTICULAR[type];
  if (particular !== undefined) return particular;
  if (isBlocking(failureOf(type))) {
    return 'The run [blocks](provision.md#blocked-a-person-must-act) until somebody acts, and tries again from time to time; with `onBlocked: "fail"` it fails.';
  }
  if (failureOf(type).nonRetryable !== true)
    return 'The call is sent again until the API answers: the run goes on.';
  return 'The run undoes its work, unless it is told to keep it, and fails.';
}

function exitOf(type: FailureType): string {
  const error = new RunFailedError('run', { type, message: 'It failed.', details: {} });
  const { exitCode } = toProblem(error, (...words) => words.join(' '));
  return `Exit code of the command line, if a run ends so: ${exitCode}.`;
}

const SOURCE = readFileSync('src/engine/core/failures.ts', 'utf8');

/** The comment before the type. */
function meaningOf(type: FailureType): string {
  const pattern = new RegExp(`/\\*\\* (?<text>[^\\n]*) \\*/\\n  \\w+: '${type}'`);
  const text = pattern.exec(SOURCE)?.groups?.['text'];
  if (text === undefined) throw new Error(`${type} has no comment in src/engine/core/failures.ts`);
  return text;
}
