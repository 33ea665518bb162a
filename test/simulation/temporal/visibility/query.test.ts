import { expect, it } from '@jest/globals';

import { GrpcError } from '../base/grpc-error.js';
import { matches, type Attribute } from './match.js';
import { parseQuery } from './parse.js';

const RUN: Readonly<Record<string, Attribute>> = {
  WorkflowId: 'provision-instance/blue/vm-1',
  ExecutionStatus: 'Running',
  StartTime: Date.parse('2026-01-02T03:04:05Z'),
  GcorePhase: 'waiting',
  GcoreResourceId: ['r1', 'r2'],
  GcoreLabels: [],
};

const holds = (query: string): boolean => matches(parseQuery(query).condition, (name) => RUN[name]);

it.each([
  ['', true],
  ['GcorePhase = "waiting"', true],
  ["GcorePhase = 'waiting' AND ExecutionStatus = 'Running'", true],
  ['GcorePhase != "waiting" OR ExecutionStatus = "Running"', true],
  ['GcorePhase <> "waiting"', false],
  ['NOT GcorePhase = "waiting"', false],
  ['NOT (GcorePhase = "waiting" AND ExecutionStatus = "Failed")', true],
  ['GcorePhase IN ("blocked", "waiting")', true],
  ['GcorePhase NOT IN ("blocked")', true],
  ['WorkflowId STARTS_WITH "provision-instance/"', true],
  ['WorkflowId NOT STARTS_WITH "import"', true],
  ['GcoreResourceId = "r2"', true],
  ['GcoreResourceId IN ("r3", "r1")', true],
  ['GcoreResourceId != "r1"', false],
  ['GcoreLabels != "a=b"', true],
  ['GcoreLabels IS NULL', true],
  ['CloseTime IS NULL', true],
  ['CloseTime IS NOT NULL', false],
  ['StartTime >= "2026-01-02T03:04:05.000Z"', true],
  ['StartTime < "2026-01-02T03:04:05.000Z"', false],
  ['StartTime BETWEEN "2026-01-01T00:00:00Z" AND "2026-01-03T00:00:00Z"', true],
  ['`GcorePhase` = "waiting"', true],
])('%s: %p', (query, expected) => {
  expect(holds(query)).toBe(expected);
});

it.each(['GcoreAccount = "blue"', 'GcoreAccount != "blue"', 'NOT GcoreAccount = "blue"'])(
  '%s: unknown of a run that says nothing of it',
  (query) => {
    expect(holds(query)).toBe(false);
  },
);

it.each([
  'WorkflowId =',
  'WorkflowId = waiting',
  '(GcorePhase = "a"',
  'GcorePhase = "a" "b"',
  'GcorePhase = "a',
  'GcorePhase = "a" ORDER BY StartTime',
  'GcorePhase = "a" GROUP BY WorkflowType',
])('%s: refused', (query) => {
  expect(() => parseQuery(query)).toThrow(GrpcError);
});

it('a filter may ask for counts of each status', () => {
  expect(parseQuery('GROUP BY ExecutionStatus')).toStrictEqual({
    condition: { kind: 'all' },
    groupBy: 'ExecutionStatus',
  });
});

it('a quoted text holds quotes', () => {
  expect(
    parseQuery(String.raw`GcorePhase = "a\"b" AND GcorePhase = 'c''d'`).condition,
  ).toMatchObject({
    conditions: [{ value: 'a"b' }, { value: "c'd" }],
  });
});
