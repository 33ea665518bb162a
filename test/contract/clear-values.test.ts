import { describe, expect, it } from '@jest/globals';

import { checkSchedule } from '../../src/client/schedules/check-schedule.js';
import { runnableInput, sendableInput } from '../../src/client/runnable-input.js';
import { inlineFaults, batchTerms } from '../../src/contract/batch-items.js';
import { OPERATIONS, type Operations } from '../../src/contract/operations/index.js';
import type { BatchedOperation } from '../../src/contract/wire/batch.js';
import { BATCHED_OPERATIONS } from '../../src/contract/operations/run-batch.js';
import { parseInput } from '../../src/engine/schema/parse-input.js';
import { UPLOADED_LISTS } from '../../src/contract/uploads.js';
import { leastCpuMs } from '../support/timing/least-cpu-ms.js';

const REF = { $secret: 'ingest' };
const CLEAR = 'hunter22';
const WITH_USER = `https://anna:${CLEAR}@files.example.com/a.mp4`;
const CALL = { method: 'PATCH', path: '/cloud/v1/volumes/1/2/3' };

/** What an input of the operation refuses, as an item of a batch. */
const REFUSED: [BatchedOperation, Record<string, unknown>, string][] = [
  ['rotateSftpPassword', { storageId: 7, password: CLEAR }, 'password'],
  ['callApi', { ...CALL, body: { a: [{ token: CLEAR }] } }, 'body.a[0].token'],
  ['callApi', { ...CALL, query: { api_key: CLEAR } }, 'query.api_key'],
  ['callApi', { ...CALL, body: { callback: WITH_USER } }, 'body.callback'],
  ['importVideos', { videos: [{ name: 'a', origin_url: WITH_USER }] }, 'videos[0].origin_url'],
  [
    'importVideos',
    { videos: [{ name: 'a', origin_http_headers: `Authorization: ${CLEAR}` }] },
    'videos[0].origin_http_headers',
  ],
];

describe('what a request refuses', () => {
  it.each(REFUSED)('of %s is refused in a line of an upload: %j', (...[operation, item, path]) => {
    const alone = runnableInput(operation, item, 'allow');
    const line = parseInput<unknown>(UPLOADED_LISTS.runBatch.line, item);

    expect(pathsOf(alone)).toContain(path);
    expect(pathsOf(line)).toContain(path);
    expect(JSON.stringify(line)).not.toContain(CLEAR);
  });

  it('is a secret of a store too, at whatever depth', () => {
    const masked = { value: 'aHVudGVyMjI=', encoding: 'masked' };
    const item = { op: 'add', key: 'k', datatype: 'sorted_set', payload: [masked] };

    expect(pathsOf(parseInput<unknown>(UPLOADED_LISTS.runBatch.line, { items: [item] }))).toEqual([
      'items[0].payload[0].value',
    ]);
  });

  it('is a secret of a store also in a list of its items that is uploaded for a batch', () => {
    const item = {
      ...{ op: 'add', key: 'k', datatype: 'kv' },
      payload: { value: 'aHVudGVyMjI=', encoding: 'masked' },
    };

    expect(pathsOf(parseInput<unknown>(UPLOADED_LISTS.runBatch.line, item))).toEqual([
      'payload.value',
    ]);
  });

  it.each(
    REFUSED.filter(([, item]) => !('videos' in item)).map(
      ([operation, item, path]) => [operation, item, `defaults.${path}`] as const,
    ),
  )('of %s is refused in the defaults of a list by reference: %j', (operation, defaults, path) => {
    const input = { operation, defaults, manifest: { url: 'file:a.jsonl' } };
    const schedule = { scheduleId: 'a', every: '1h', input } as const;

    const [started, resumed] = [
      runnableInput('runBatch', input, 'allow'),
      sendableInput('runBatch', input, 'allow'),
    ];
    const inWorker = inlineFaults(batchTerms(input, 'a'), {});

    expect(pathsOf(started)).toEqual([path]);
    expect(pathsOf(resumed)).toEqual([path]);
    expect(inWorker).toMatchObject([{ path }]);
    expect(() => checkSchedule('runBatch', schedule)).toThrow(path);
  });

  it('is refused in defaults that each item replaces', () => {
    const items = [{ requestId: 'a', storageId: 7, password: REF }];
    const input = {
      operation: 'rotateSftpPassword',
      items,
      defaults: { password: CLEAR },
    } as const;

    expect(pathsOf(runnableInput('runBatch', input, 'allow'))).toEqual(['defaults.password']);
  });

  it('is no name that an operation takes', () => {
    const defaults = { instance: { tags: { token: 'a' }, password: 'Hunter22-Hunter22' } };
    const operation = 'provisionInstance';
    const input = { operation, defaults, manifest: { url: 'file:a.jsonl' } };

    expect(runnableInput('runBatch', input, 'allow')).toMatchObject({ ok: true });
    expect(pathsOf(runnableInput('runBatch', input, 'refuse'))).toEqual([
      'defaults.instance.password',
    ]);
  });

  it.each(BATCHED_OPERATIONS)('is nothing of the example of %s', (operation: BatchedOperation) => {
    const { example: defaults }: { example: Operations[BatchedOperation]['input'] } =
      OPERATIONS[operation];
    const input = { operation, defaults: { ...defaults }, manifest: { url: 'file:a.jsonl' } };

    expect(runnableInput('runBatch', input, 'allow')).toMatchObject({ ok: true });
  });
});

function pathsOf(parsed: { ok: true } | { ok: false; faults: { path: string }[] }): string[] {
  return parsed.ok ? [] : parsed.faults.map(({ path }) => path);
}

describe('a line of an upload', () => {
  const many = <T>(count: number, item: (at: number) => T): T[] =>
    Array.from({ length: count }, (_, at) => item(at));
  const fields = (count: number, name: (at: number) => string, value: unknown) =>
    Object.fromEntries(many(count, (at): [string, unknown] => [name(at), value]));
  const call = { method: 'POST', path: '/cloud/v1/a/1/1' };

  /** Of 2 MB these may cost 500 ms, on a machine that does nothing else. */
  it.each<[string, object]>([
    ['a long path', { ...call, path: '/a'.repeat(100_000) }],
    ['a long path of keys', { ...call, path: '/key'.repeat(50_000) }],
    ['a long pointer', { ...call, look: { ...call, pointer: '/key'.repeat(50_000), equals: 1 } }],
    ['many words', { a: many(40_000, () => 'ab') }],
    ['many options', { a: many(25_000, () => '-key') }],
    ['many pairs', { a: many(15_000, () => ['key_x', 1]) }],
    ['many names', fields(18_000, (at) => `f${at}`, 1)],
    ['many names of keys', fields(8_000, (at) => `f_${at}_key`, 'a text=1')],
  ])('costs as much as its bytes: %s', async (_what, line) => {
    const parse = () => UPLOADED_LISTS.runBatch.line.safeParse(line);

    expect(parse().success).toBe(true);
    expect(await leastCpuMs(150, parse)).toBeLessThan(150);
  });

  it('is looked through once for the name above many secrets, however long it is', async () => {
    const secrets = fields(5_000, (at) => `password${at}`, CLEAR);
    const line = { ...call, body: { [`a b${'x'.repeat(200_000)}`]: secrets } };
    const parse = () => parseInput<unknown>(UPLOADED_LISTS.runBatch.line, line);

    expect(parse().ok).toBe(false);
    expect(await leastCpuMs(500, parse)).toBeLessThan(500);
  });
});
