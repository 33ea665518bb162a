/** Fields that the rows of many kinds share. Times are milliseconds since the epoch. */
import { z } from 'zod';

/** Every row of a project and region has these fields. */
export const scopedShape = {
  id: z.string(),
  projectId: z.number().int(),
  regionId: z.number().int(),
  createdAt: z.number(),
  /** Lists show the row from this time on. A GET by id shows it immediately. */
  listedAt: z.number(),
};

export const lockableShape = {
  ...scopedShape,
  creatorTaskId: z.string().nullable(),
  /** The task that holds the lock. */
  taskId: z.string().nullable(),
  tags: z.record(z.string(), z.string()),
  /** The end of the last task or change. Missing: nothing has changed since the creation. */
  updatedAt: z.number().optional(),
};
