import { createHash } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { toMarker } from '../../src/contract/marker.js';

describe('toMarker', () => {
  const hashOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

  it.each([
    ['default', 'provision-instance/default/order-4711'],
    ['prod.a1b2c', 'id with spaces, "quotes" and = signs'],
    ['n', 'w'],
    ['n', 'w'.repeat(253)],
  ])('is readable when a tag can hold it: %s/%s', (namespace, workflowId) => {
    const marker = toMarker(namespace, workflowId);

    expect(marker).toBe(`${namespace}/${workflowId}`);
  });

  it.each([
    ['is too long', 'w'.repeat(254)],
    ['has letters beyond ASCII', 'Bestellung-für-東京'],
    ['ends with a space', 'order-1 '],
    ['has a line break', 'order\n1'],
    ['has a tab', 'order\t1'],
  ])('is a hash when the id %s', (_title, workflowId) => {
    const marker = toMarker('n', workflowId);

    expect(marker).toBe(hashOf(`n/${workflowId}`));
    expect(marker).toHaveLength(71);
  });

  it('is the same for every attempt and different for every other request', () => {
    const ids = ['order-1', 'order-2', 'ö-1', 'ö-2'];

    const once = ids.map((id) => toMarker('n', id));
    const again = ids.map((id) => toMarker('n', id));

    expect(again).toEqual(once);
    expect(new Set(once).size).toBe(ids.length);
  });
});
