import type { SimulatorState } from '../../../../src/simulator/index.js';
import type { Operation } from '../../../../src/contract/wire/names.js';
import type { Finding } from '../../world/records.js';
import { pathOf, wasCarriedOut } from '../facts/effects.js';
import { type Act, type Facts, isOfRun } from '../facts/facts.js';
import { type Effect, keyOf, nameOf } from '../facts/rows.js';
import { parsed } from '../facts/values.js';
import { inputAs } from '../facts/operations.js';
import { PROMISES } from '../promises/index.js';
import { isMadeBy } from '../promises/deletions.js';
import type { Asked, Permit } from '../promises/promise.js';
import { findingOf } from './findings.js';

/**
 * A run changes and deletes only what its request has made, and what its definition lets it touch: judged call by call, on
 * the cloud as it was then, or as it was when the run may have looked for the last time.
 */
export function strangerChanged(facts: Facts): Finding[] {
  const found = new Map<string, Finding>();
  for (const act of facts.acts) {
    if (!isOfRun(act)) continue;
    for (const finding of judgeAct(facts, act))
      found.set(`${finding.workflowId} ${finding.says}`, finding);
  }
  return [...found.values(), ...unknownCalls(facts)];
}

function judgeAct(facts: Facts, act: Act & { workflowId: string }): Finding[] {
  const { workflowId } = act;
  const operation = facts.operationOf(workflowId);
  if (operation === undefined) return [];
  const strange = act.effects.filter((effect) => isJudged(facts, act, effect));
  if (strange.length === 0) return [];
  if (operation === 'callApi') return judgeCall(facts, act);
  const states = statesOfLook(facts, act);
  const allowedIn = permitsIn(facts, act, { operation, workflowId, states });
  const ofParent = permitsOfParent(facts, act, states);
  const isIn = (all: readonly (readonly Permit[])[], effect: Effect): boolean =>
    all.some((permits) => isPermitted(effect, permits));
  return strange
    .filter(
      (effect) => !isIn(allowedIn, effect) || (ofParent !== undefined && !isIn(ofParent, effect)),
    )
    .map((effect) => toFinding(operation, act, effect));
}

/** What its request has not made itself, and the API does not do by itself. */
function isJudged(facts: Facts, act: Act, effect: Effect): boolean {
  if (effect.isConsequence === true || effect.does === 'makes') return false;
  const maker = facts.makerOf(effect);
  if (maker === undefined) return true;
  if (maker.who === act.who) return false;
  // A part of a batch: the item is a request of its own.
  return true;
}

/** A change goes out within half a minute of its look, and may be on its way for longer. */
const FRESH_MS = 60_000;
/** Where nobody says when it was sent: the longest time on the way, and the look before. */
const ON_THE_WAY_MS = 150_000;

function statesOfLook({ timeline }: Facts, { call, at, cloud }: Act) {
  const from = call.sentAt === undefined ? at - ON_THE_WAY_MS : call.sentAt - FRESH_MS;
  return [cloud, ...timeline.between(from, at - 1)];
}

interface Asking {
  operation: Operation;
  workflowId: string;
  /** The clouds in which it may have looked. */
  states: readonly SimulatorState[];
}

/** What a request may touch, in each of the clouds. */
function permitsIn(
  facts: Facts,
  act: Act & { workflowId: string },
  { operation, workflowId, states }: Asking,
): readonly (readonly Permit[])[] {
  const inputs = new Set([
    ...facts.runsOf(workflowId).flatMap(({ input, inputsBefore = [] }) => [input, ...inputsBefore]),
    ...facts.requestsOf(workflowId).map(({ input }) => input),
  ]);
  const touches = [...inputs].map((input) => touchesOf(operation, input));
  const since = facts.timeline.between(startOf(facts, workflowId), act.at - 1);
  const isOf = isMadeBy({ facts });
  const body = parsed(act.call.body);
  const ofParts = protectionOf(facts, act);
  return states.map((cloud) => [
    ...touches.flatMap((touch) => touch({ workflowId, cloud, since, isOf, body })),
    ...ofParts,
  ]);
}

/** A part of a replacement may do no more than the replacement itself. */
function permitsOfParent(
  facts: Facts,
  act: Act & { workflowId: string },
  states: readonly SimulatorState[],
): readonly (readonly Permit[])[] | undefined {
  const root = facts.rootOf(act.workflowId);
  if (root === act.workflowId || facts.operationOf(root) !== 'replaceInstance') return undefined;
  return permitsIn(facts, act, { operation: 'replaceInstance', workflowId: root, states });
}

type Touches<O extends Operation> = (rest: Omit<Asked<O>, 'input'>) => readonly Permit[];

function touchesOf<O extends Operation>(operation: O, input: unknown): Touches<O> {
  const given = inputAs(operation, input);
  if (given === undefined) return () => [];
  return (rest) => PROMISES[operation].touches({ ...rest, input: given });
}

/** The first start of the request. */
function startOf(facts: Facts, workflowId: string): number {
  return Math.min(...facts.runsOf(workflowId).map(({ startedAt }) => startedAt));
}

/** Undoing a protection that its own part has put on an address. */
function protectionOf(facts: Facts, act: Act & { workflowId: string }): Permit[] {
  const part = facts.acts.filter(({ workflowId }) => workflowId === `${act.workflowId}/protect`);
  return part.flatMap(({ effects }) =>
    effects.flatMap(({ rows, id }): Permit[] =>
      rows === 'ddosProfiles' ? [{ rows, id, may: 'change' }] : [],
    ),
  );
}

function isPermitted({ rows, id, does, fields }: Effect, permits: readonly Permit[]): boolean {
  return (
    permits.some(
      (permit) =>
        permit.rows === rows &&
        permit.id === id &&
        permit.may === (does === 'deletes' ? 'delete' : 'change') &&
        (permit.fields === undefined ||
          fields?.every((field) => permit.fields?.includes(field)) !== false),
    ) ||
    (rows === 'kvEntries' && permits.some((permit) => keyOf(permit) === keyOf({ rows, id })))
  );
}

function toFinding(
  operation: Operation,
  { workflowId, call }: Act & { workflowId: string },
  { rows, id, does, fields }: Effect,
): Finding {
  const invariant = does === 'deletes' ? "somebody else's deleted" : 'stranger changed';
  const of = fields === undefined ? '' : ` (${fields.join(', ')})`;
  const says = `it ${does} ${nameOf(rows)} ${id}${of}, which it has not made and was not asked to ${does === 'deletes' ? 'delete' : 'change so'}: ${call.method} ${call.path}`;
  return findingOf(invariant, { workflowId, operation }, says);
}

/** A call of a person's own choice: this one, and no other. */
function judgeCall(facts: Facts, { workflowId, call }: Act & { workflowId: string }): Finding[] {
  const inputs = [...facts.runsOf(workflowId), ...facts.requestsOf(workflowId)].map(({ input }) =>
    inputAs('callApi', input),
  );
  const isAsked = inputs.some(
    (input) => input?.method === call.method && input.path === pathOf(call.path),
  );
  if (isAsked) return [];
  return [
    findingOf(
      'stranger changed',
      { workflowId, operation: 'callApi' },
      `it makes another call than it was asked for: ${call.method} ${call.path}`,
    ),
  ];
}

/** A change that the judge does not know is none that an operation makes. */
function unknownCalls(facts: Facts): Finding[] {
  const known = new Set(facts.acts.map(({ call }) => call));
  return facts.evidence.calls.flatMap((call) => {
    const { workflowId, actor, path, method } = call;
    const operation = workflowId === undefined ? undefined : facts.operationOf(workflowId);
    if (
      workflowId === undefined ||
      operation === undefined ||
      actor !== undefined ||
      operation === 'callApi'
    )
      return [];
    if (!wasCarriedOut(call) || known.has(call) || HARMLESS.test(pathOf(path))) return [];
    return [
      findingOf(
        'stranger changed',
        { workflowId, operation },
        `it sends a call that changes something and that no operation makes: ${method} ${path}`,
      ),
    ];
  });
}

/** Answers without a task: nothing changes. */
const HARMLESS = /^\/cloud\/v2\/floatingips\//;
