import type { Operation } from '../../../../src/contract/wire/names.js';
import { workflowIdFor } from '../../../../src/contract/wire/names.js';
import { createSimulator, type SimulatorState } from '../../../../src/simulator/index.js';
import type { AskRecord, CallRecord, Evidence, Finding, RunRecord } from '../../world/records.js';
import { judgeWorld } from '../judge-world.js';
import { textsAt } from '../facts/values.js';

const START = Date.parse('2026-05-01T00:00:00Z');
const API = 'https://api.test';

interface Caller {
  workflowId?: string;
  actor?: string;
}

/** A cloud to which real calls are sent, and what a world would record of them. */
export interface Stage {
  /** Sends a call as a run or another actor; returns its answer. */
  call(who: Caller, call: string, body?: unknown): Promise<unknown>;
  /** The same, and lets its tasks end. */
  done(who: Caller, call: string, body?: unknown): Promise<unknown>;
  pass(seconds: number): void;
  cloud(): SimulatorState;
  /** A run begins; `end` closes it. */
  run(operation: Operation, input: object, rest?: Partial<RunRecord>): TestRun;
  ask(what: AskRecord['what'], workflowId: string): void;
  evidence(rest?: Partial<Evidence>): Evidence;
  judge(rest?: Partial<Evidence>): Finding[];
}

export interface TestRun {
  workflowId: string;
  end(state: RunRecord['state'], rest?: Partial<RunRecord>): void;
}

export function createStage(state: Partial<SimulatorState> = {}): Stage {
  let now = START;
  const before = { ...createSimulator().snapshot(), sequence: 10_000, ...state };
  const simulator = createSimulator({ now: () => now, state: before });
  const calls: CallRecord[] = [];
  const runs: RunRecord[] = [];
  const asks: AskRecord[] = [];
  const pass = (seconds: number): void => {
    now += seconds * 1_000;
  };
  const send: Stage['call'] = async ({ workflowId, actor }, call, body) => {
    const [method = 'GET', path = '/'] = call.split(' ');
    const cloudBefore = simulator.snapshot();
    const response = await simulator.fetch(`${API}${path}`, {
      method,
      headers: { authorization: 'apikey simulator-key', 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer: unknown = text === '' ? undefined : JSON.parse(text);
    const { status } = response;
    const cloudAfter = simulator.snapshot();
    calls.push({
      at: now,
      method,
      path,
      body,
      status,
      answer,
      workflowId,
      actor,
      cloudBefore,
      cloudAfter,
    });
    pass(1);
    return answer;
  };
  const evidence: Stage['evidence'] = (rest = {}) => ({
    seed: 1,
    before,
    after: simulator.snapshot(),
    inventoryBefore: simulator.inventory(),
    inventoryAfter: simulator.inventory(),
    requests: [],
    runs,
    calls,
    asks,
    openAtCalm: [],
    aliveAtOnce: [],
    lastStrikeAt: START,
    endedAt: now,
    secrets: [],
    texts: [],
    nondeterminism: [],
    ...rest,
  });
  return {
    call: send,
    async done(who, call, body) {
      const answer = await send(who, call, body);
      if (textsAt(answer, 'tasks').length > 0) pass(120);
      return answer;
    },
    pass,
    cloud: () => simulator.snapshot(),
    run(operation, input, rest = {}) {
      const { workflowId = workflowIdFor(operation, 'default', `r${runs.length}`) } = rest;
      const runId = `${workflowId}#${runs.length}`;
      const run = openRun(operation, { input, workflowId, runId, startedAt: now });
      Object.assign(run, { cloudAtStart: simulator.snapshot(), ...rest });
      runs.push(run);
      pass(1);
      return {
        workflowId,
        end(ended, more = {}) {
          pass(1);
          Object.assign(run, {
            state: ended,
            closedAt: now,
            cloudAtEnd: simulator.snapshot(),
            ...more,
          });
        },
      };
    },
    ask(what, workflowId) {
      asks.push({ at: now, what, workflowId, isTaken: true });
    },
    evidence,
    judge: (rest) => judgeWorld(evidence(rest)),
  };
}

function openRun(
  operation: Operation,
  {
    input,
    workflowId,
    runId,
    startedAt,
  }: Pick<RunRecord, 'input' | 'workflowId' | 'runId' | 'startedAt'>,
): RunRecord {
  return {
    workflowId,
    runId,
    firstRunId: runId,
    operation,
    input,
    state: 'running',
    startedAt,
    closedAt: undefined,
    result: undefined,
    failure: undefined,
    status: undefined,
    cloudAtStart: undefined,
    cloudAtEnd: undefined,
    events: 20,
  };
}

/** What is found, without the particulars. */
export function namesOf(findings: readonly Finding[]): string[] {
  return [...new Set(findings.map(({ invariant }) => invariant))];
}
