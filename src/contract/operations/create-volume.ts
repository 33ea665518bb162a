import { z } from 'zod';

import { crossFieldRule } from '../../engine/schema/parse-input.js';
import { resourceIdSchema } from '../api/cloud.js';
import { nameSchema, sizeSchema, volumeTypeSchema } from '../api/create-instance-body.js';
import { defineMake } from './define-make.js';

const rule = crossFieldRule(
  z.object({ source: z.unknown(), imageId: z.unknown(), snapshotId: z.unknown() }).partial(),
);

export const createVolume = defineMake({
  guarantees:
    'Creates one volume: empty, from an image, or from a snapshot. It succeeds only when the volume is available, or in use already. One request never makes two. A failed or cancelled run removes what it made, and verifies that it is gone, but no volume that somebody has attached or taken snapshots of.',
  page: 'make-volume.md',
  shows: ['source', 'name', 'size', 'imageId', 'snapshotId', 'typeName'],
  makes: 'volume',
  says: 'create a volume, and never two; verified',
  input: {
    source: z.enum(['new-volume', 'image', 'snapshot']).describe('what it is made from'),
    name: nameSchema.describe('of the volume'),
    size: sizeSchema.describe('in GiB; from a snapshot, that of the snapshot'),
    imageId: resourceIdSchema.optional().describe('with the source image: its id'),
    snapshotId: resourceIdSchema.optional().describe('with the source snapshot: its id'),
    typeName: volumeTypeSchema.describe(
      'type of the volume; when left out, that of the snapshot, or standard',
    ),
  },
  rules: [
    rule('imageId', 'is needed when "source" is image, and only then', (input) => {
      return (input.source === 'image') === (input.imageId !== undefined);
    }),
    rule('snapshotId', 'is needed when "source" is snapshot, and only then', (input) => {
      return (input.source === 'snapshot') === (input.snapshotId !== undefined);
    }),
  ],
  result: {
    volumeId: z.string().describe('id of the volume'),
    name: z.string().describe('as the API shows it'),
    size: z.number().nullable().describe('in GiB; null when the API shows none'),
    typeName: z.string().nullable().describe('of the volume; null when the API shows none'),
    status: z.string().describe('of the volume, at the last look'),
  },
  example: { source: 'new-volume', name: 'data-1', size: 20 },
  command: {
    word: 'create-volume',
    arguments: ['source', 'name', 'size'],
    options: ['imageId', 'snapshotId', 'typeName'],
  },
  done: ({ volumeId, name }) => `volume ${volumeId} (${name}) exists`,
});
