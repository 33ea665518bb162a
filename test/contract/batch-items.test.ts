import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';

import { inlineFaults, listFaults, parseItem } from '../../src/contract/batch-items.js';
import { changedLines } from '../../src/contract/batch-names.js';
import { isMake, OPERATIONS } from '../../src/contract/operations/index.js';
import { BATCHED_OPERATIONS } from '../../src/contract/operations/run-batch.js';
import type { BatchedOperation, BatchTerms } from '../../src/contract/wire/batch.js';
import { HOLD_TURN } from '../../src/engine/core/names.js';
import { provisionInput } from '../support/inputs/provision-input.js';
import { TESTED_OPERATIONS } from '../support/operations/index.js';

const termsOf = (operation: BatchedOperation) => ({ operation, account: 'blue', prefix: 'night' });

/** What a stored run was asked for, and the resources at which it took turns. */
function storedRun(name: string): { input: unknown; turns: string[] } {
  const stored: unknown = JSON.parse(readFileSync(`test/replay/histories/${name}.json`, 'utf8'));
  const { events = [] } = historyFromJSON(stored);
  const turns = (events ?? []).flatMap((event) => {
    const child = event.startChildWorkflowExecutionInitiatedEventAttributes;
    if (child?.workflowType?.name !== HOLD_TURN) return [];
    return [(child.workflowId ?? '').split('/').slice(2).join('/')];
  });
  const [payload]: Payload[] =
    events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  if (payload === undefined) throw new Error(`${name} has no input`);
  return { input: defaultPayloadConverter.fromPayload(payload), turns };
}

function withoutAccount(input: unknown): object {
  if (!(input instanceof Object)) throw new TypeError('the input is no object');
  const fields = Object.entries(input).filter(([field]) => field !== 'account');
  return Object.fromEntries(fields);
}

describe.each(BATCHED_OPERATIONS)('a batch of %s', (operation) => {
  it('refuses two lines that change the same thing: at which its runs have taken turns', () => {
    for (const history of TESTED_OPERATIONS[operation].histories) {
      const { input, turns } = storedRun(history);
      if (turns.length === 0 || isMake(operation)) continue;
      const item = withoutAccount(input);
      const twins = ['one', 'two'].map((requestId) => ({ ...item, requestId }));

      const faults = listFaults(termsOf(operation), twins);

      expect(faults).toEqual([
        { path: 'items[1]', message: expect.stringContaining(', as item 1 does') },
      ]);
      expect(turns.some((turn) => faults[0]?.message.includes(`changes ${turn}`))).toBe(true);
    }
  });
});

describe('one batch', () => {
  it('takes lines that change different things of one resource', () => {
    const grants = ['ingest', 'audit'].map((name) => ({ storageId: 7, keyNames: [name] }));
    const subtitles = ['eng', 'ger'].map((language) => ({
      ...OPERATIONS.addSubtitles.example,
      language,
    }));
    const calls = ['one', 'two'].map((name) => ({
      method: 'POST',
      path: '/cloud/v1/keypairs/1/1',
      body: { name },
    }));

    expect(listFaults(termsOf('grantSftpAccess'), grants)).toEqual([]);
    expect(listFaults(termsOf('addSubtitles'), subtitles)).toEqual([]);
    expect(listFaults(termsOf('callApi'), calls)).toEqual([]);
  });

  it('refuses two deletions of one machine, whoever has made it', () => {
    const parts = { volumes: 'keep', floatingIps: 'keep' };
    const madeBy = 'provision-instance/blue/web-1';

    const faults = listFaults(termsOf('deleteInstance'), [
      { ...parts, madeBy },
      { ...parts, madeBy, volumes: 'delete' },
    ]);

    expect(faults).toEqual([
      { path: 'items[1]', message: expect.stringContaining(`instance of ${madeBy}, as item 1`) },
    ]);
  });
});

describe('the faults of a list', () => {
  const wrong = Array.from({ length: 90 }, () => ({}));
  const terms = { ...termsOf('provisionInstance'), defaults: { instance: { interfaces: wrong } } };

  it('end with the first that are enough, and say how much nobody has judged', () => {
    const { faults, judged } = judgedOf(terms, 1_000);

    expect(judged).toBe(1);
    expect(faults.slice(0, 20).every(({ path }) => path.startsWith('items[0].'))).toBe(true);
    expect(faults.slice(20)).toEqual([
      { path: '…', message: expect.stringMatching(/more faults$/), count: expect.any(Number) },
      { path: '…', message: '999 items after these were not judged', count: 0 },
    ]);
  });

  it('are all there when they are few', () => {
    const { faults, judged } = judgedOf(termsOf('deleteVideo'), 15);

    expect(judged).toBe(15);
    expect(faults.map(({ path }) => path)).toContain('items[14].videoId');
    expect(faults.some(({ path }) => path === '…')).toBe(false);
  });

  it('count what the defaults have in each item, by their values and not by their bytes', () => {
    const defaults = { videos: Array.from({ length: 60 }, () => 0) };
    const faultsOf = (count: number) =>
      inlineFaults({ ...termsOf('importVideos'), defaults }, { items: itemsOf(count) });

    expect(faultsOf(1_700)).toEqual([
      { path: 'defaults', message: expect.stringContaining('at most 1639:') },
    ]);
    expect(faultsOf(1_600)[0]?.path).toMatch(/^items/);
  });
});

const itemsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ requestId: `n${at}` }));

/** Looks how many of the items are read. */
function judgedOf(terms: BatchTerms, count: number) {
  const seen = new Set<string>();
  const items = itemsOf(count).map(
    ({ requestId }) =>
      new Proxy(
        {},
        {
          ownKeys: () => {
            seen.add(requestId);
            return [];
          },
        },
      ),
  );
  return { faults: inlineFaults(terms, { items }), judged: seen.size };
}

describe('the name of a line that brings none', () => {
  const terms = { operation: 'provisionInstance', account: 'blue', prefix: 'fleet' } as const;
  const nameIn = (item: unknown, more: Partial<BatchTerms> = {}): string => {
    const parsed = parseItem({ ...terms, ...more }, item);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
    return parsed.value.id;
  };
  const machine = provisionInput();

  it('says what it asks for, not how it waits, is found or is kept secret', () => {
    const password = (text: string) => ({
      ...machine,
      instance: { ...machine.instance, password: text },
    });
    const name = nameIn(machine);

    expect(name).toMatch(/^fleet-[0-9a-f]{16}$/);
    expect(nameIn({ ...machine, labels: { team: 'media' }, deadline: '1 hour' })).toBe(name);
    expect(nameIn({ ...machine, onFailure: 'rollback' })).toBe(name);
    expect(nameIn(provisionInput({ name: 'another' }))).not.toBe(name);
    expect(nameIn(password('one'))).toBe(nameIn(password('two')));
  });

  it('fits with 9,999 others into one payload, however long the id of the batch is', () => {
    expect(nameIn(machine, { prefix: 'x'.repeat(800) }).length).toBeLessThan(100);
    expect(nameIn(machine, { prefix: 'x'.repeat(800) })).not.toBe(
      nameIn(machine, { prefix: 'x'.repeat(801) }),
    );
  });

  it('is the value of the key, and a request id that the line brings goes before', () => {
    const key = 'instance.name';

    expect(nameIn(machine, { key })).toBe(machine.instance.name);
    expect(nameIn({ ...machine, requestId: 'mine' }, { key })).toBe('mine');
    expect(nameIn(machine, { key: 'projectId' })).toBe(String(machine.projectId));
  });
});

describe('lines that nobody has tried', () => {
  const terms = { operation: 'createVolume', account: 'blue', prefix: 'disks' } as const;
  const nameOf = (digit: string): string => `disks-${digit.repeat(16)}`;
  const one = nameOf('1');
  const two = nameOf('2');
  const three = nameOf('3');
  const changedIn = (ids: readonly string[], named: Readonly<Record<string, boolean>>) =>
    changedLines(terms, ids, new Map(Object.entries(named))).map(({ line }) => line);

  it('count as changed forms of what is made and missing in the list', () => {
    expect(changedIn([three, two], { [one]: true, [three]: false })).toEqual([2]);
  });

  it('are new where the list has all that is made, or have names of their own', () => {
    expect(changedIn([one, two], { [one]: true })).toEqual([]);
    expect(changedIn([two], { [one]: false })).toEqual([]);
    expect(changedIn(['mine'], { [one]: true })).toEqual([]);
  });
});
