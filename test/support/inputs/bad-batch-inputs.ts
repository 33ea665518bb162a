import { badInputsOf, type BadInput } from './bad-input.js';

const item = { instanceId: '00000001-0000-4000-8000-000000000001', action: 'stop' };
const bad = badInputsOf('runBatch', { operation: 'setInstancePower', items: [item] });
const second = (change: object) => ({ items: [item, { ...item, ...change }] });

/** Those of the items too: all are named before the first one starts. */
export const BAD_BATCH_INPUTS: readonly BadInput[] = [
  bad('no item', { items: [] }, ['items', /at least one item/]),
  bad('a batch of batches', { operation: 'runBatch' }, ['operation', /must be one of/]),
  bad('no list', { items: undefined }, ['(input)', /either "items" or "manifest"/]),
  bad('an item with an unknown field', second({ colour: 'red' }), [
    'items[1].colour',
    /not a known field/,
  ]),
  bad('an item without a field that it needs', second({ action: undefined }), [
    'items[1].action',
    /missing/,
  ]),
  bad('an item of another account', second({ account: 'other' }), [
    'items[1].account',
    /of the batch/,
  ]),
  bad('an item that is a plan', second({ planOnly: true }), [
    'items[1].planOnly',
    /plan the batch/,
  ]),
  bad('a strange request id', second({ requestId: 'a"b' }), [
    'items[1].requestId',
    /quotation marks/,
  ]),
  bad(
    'an item twice',
    {
      items: [
        { ...item, requestId: 'a' },
        { ...item, requestId: 'a' },
      ],
    },
    ['items[1]', /same request as item 1/],
  ),
  bad(
    'one machine in two lines, which differ in case',
    second({ instanceId: item.instanceId.toUpperCase(), action: 'start' }),
    ['items[1]', /changes instance\/0{7}1-\S+, as item 1 does/],
  ),
  bad(
    'one address for two machines',
    {
      operation: 'moveFloatingIp',
      items: ['1', '2'].map((of) => ({
        floatingIpId: '00000004-0000-4000-8000-000000000001',
        instanceId: `00000001-0000-4000-8000-00000000000${of}`,
      })),
    },
    ['items[1]', /changes floating-ip\/\S+, as item 1 does/],
  ),
  bad('the same line twice', { items: [item, item] }, ['items[1]', /same request as item 1/]),
  bad('a key that the items do not have', { key: 'name' }, ['items[0].name', /names the item/]),
  bad('a key that is no text', { key: 'labels', defaults: { labels: { team: 'media' } } }, [
    'items[0].labels',
    /must be a text or a number/,
  ]),
  bad('a key that is no path', { key: 'instance name' }, ['key', /path of a field/]),
  bad('a line beyond the items', { lines: '2' }, ['lines', /after the last one, which is 1/]),
  bad('a fault in the defaults', { defaults: { account: 'other' } }, [
    'items[0].account',
    /of the batch/,
  ]),
  bad('too many at once', { atOnce: 201 }, ['atOnce', /200/]),
  bad(
    'defaults that cost too much for so many items',
    {
      defaults: { action: 'x'.repeat(30_000) },
      items: Array.from({ length: 150 }, () => ({ instanceId: item.instanceId })),
    },
    ['defaults', /too large for 150 items/],
  ),
];
