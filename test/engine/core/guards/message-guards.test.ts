import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { faultsIn, isSound } from '../../../../src/engine/core/guards/guard.js';
import {
  extendRequest,
  resumeRequest,
  turnEnd,
  turnFree,
  turnTaken,
  webhookOrder,
} from '../../../../src/engine/core/guards/message-guards.js';
import * as ofOperations from '../../../../src/contract/wire/messages.js';
import * as messages from '../../../../src/engine/core/messages.js';
import { brokenOf } from '../../messages/broken-messages.js';
import { ORDER, SIGNALS, UPDATES } from '../../messages/message-samples.js';

const MESSAGES = [...SIGNALS, ...UPDATES];

describe('the guards of messages', () => {
  it('have a sample of each signal and each update', () => {
    const others = Object.values(ofOperations).flatMap((one) => ('type' in one ? [one] : []));
    const all = [...Object.values(messages), ...others];
    const defined = all.filter(({ type }) => type !== 'query');

    expect(MESSAGES.map(({ name }) => name).sort()).toEqual(defined.map(({ name }) => name).sort());
  });

  it.each(MESSAGES)('take what the sender of $name sends', ({ guard, sound }) => {
    expect(faultsIn(guard, sound)).toEqual([]);
  });

  it.each(MESSAGES)('say of anything whether it is $name, and never throw', ({ guard, sound }) => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), brokenOf(sound)), (value) => {
        const faults = faultsIn(guard, value);

        expect(isSound(guard, value)).toBe(faults.length === 0);
        for (const { path, message } of faults) {
          expect(path).not.toBe('');
          expect(message).not.toBe('');
        }
      }),
    );
  });

  it.each([
    ['is there', turnFree, undefined, ['(argument)', 'is missing']],
    [
      'names a run by an id that the server takes',
      turnFree,
      { resource: 'a', behind: ['ü'.repeat(501)] },
      ['behind[0]', 'must have at most 1000 bytes'],
    ],
    ['names a run', turnFree, { resource: 'a', behind: [''] }, ['behind[0]', 'must not be empty']],
    [
      'has a time that a timer can have',
      turnEnd,
      { lock: 'a', keptUntil: 8.64e15 },
      ['keptUntil', 'must be a whole number from 0 to 4102444800000'],
    ],
    [
      'has a time that can be read',
      turnTaken,
      { resource: 'a', lock: 'l', holder: 'b', since: 'soon' },
      ['since', 'must be a time in ISO 8601'],
    ],
    ['has no misspelt field', resumeRequest, { inptu: {} }, ['inptu', 'is not a known field']],
    ['is an object where it has fields', extendRequest, [], ['(argument)', 'must be an object']],
  ])('see to it that a message %s', (...[, guard, value, [path, message]]) => {
    expect(faultsIn(guard, value)).toEqual([{ path, message }]);
  });

  it('name few faults and short paths: a refusal has to fit into a message of the server', () => {
    const names = Array.from({ length: 100_000 }, (_, at) => [`field${at}`, 1]);
    const many = faultsIn(resumeRequest, Object.fromEntries(names));
    const long = faultsIn(resumeRequest, { ['x'.repeat(1_900_000)]: 1 });

    expect(JSON.stringify([many, long]).length).toBeLessThan(10_000);
    expect(many.at(-1)).toEqual({ path: '…', message: '99,980 more faults', count: 99_980 });
  });

  it('let a newer version add a field to what runs tell each other', () => {
    expect(faultsIn(turnEnd, { lock: 'a', reason: 'new' })).toEqual([]);
  });

  it('refuse an input that is too deep to be sent on', () => {
    const deep: unknown = JSON.parse('['.repeat(5_000) + ']'.repeat(5_000));

    expect(faultsIn(resumeRequest, { input: deep })).toEqual([
      { path: 'input', message: 'is nested more than 100 levels deep' },
    ]);
  });

  it('take no address without bounds: it becomes the summary of an activity', () => {
    const target = { url: `https://${'x'.repeat(3_000)}/`, secretName: 'a', events: [] };

    expect(faultsIn(webhookOrder, { ...ORDER, targets: [target] })).toEqual([
      { path: 'targets[0].url', message: 'must have at most 2048 bytes' },
    ]);
  });
});
