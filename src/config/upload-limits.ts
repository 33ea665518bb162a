import { z } from 'zod';

import { MAX_UPLOAD_BYTES } from '../contract/wire/uploads.js';
import { toPath } from '../engine/core/faults.js';
import { ConfigurationError } from './configuration-error.js';
import { withoutEmpty, type Environment } from './environment.js';

const MIB = 1_024 ** 2;
const LARGEST_MIB = MAX_UPLOAD_BYTES / MIB;
/** Each look at what is kept reads a claim of every list. */
const MOST_LISTS = 5_000;
/** A tebibyte. */
const MOST_MIB = MIB;

function countSchema(most: number) {
  const error = `must be a whole number from 1 to ${most}`;
  return z
    .string()
    .regex(/^\d{1,7}$/, { error })
    .transform(Number)
    .refine((count) => count >= 1 && count <= most, { error })
    .optional();
}

const settingsSchema = z.object({
  GCORE_UPLOADS_LIST_MIB: countSchema(LARGEST_MIB),
  GCORE_UPLOADS_CALLER_MIB: countSchema(MOST_MIB),
  GCORE_UPLOADS_ACCOUNT_MIB: countSchema(MOST_MIB),
  GCORE_UPLOADS_ACCOUNT_LISTS: countSchema(MOST_LISTS),
});

/** What a gateway or a command keeps of uploaded lists at most, as far as a setting says it. In bytes. */
interface UploadLimitSettings {
  listBytes?: number;
  callerBytes?: number;
  accountBytes?: number;
  accountLists?: number;
}

/** @throws ConfigurationError with every fault */
export function loadUploadLimits(environment: Environment): UploadLimitSettings {
  const parsed = settingsSchema.safeParse(withoutEmpty(environment));
  if (!parsed.success) {
    const { issues } = parsed.error;
    throw new ConfigurationError(issues.map(({ path, message }) => `${toPath(path)}: ${message}`));
  }
  const {
    GCORE_UPLOADS_LIST_MIB: list,
    GCORE_UPLOADS_CALLER_MIB: caller,
    GCORE_UPLOADS_ACCOUNT_MIB: account,
    GCORE_UPLOADS_ACCOUNT_LISTS: accountLists,
  } = parsed.data;
  return {
    ...(list !== undefined && { listBytes: list * MIB }),
    ...(caller !== undefined && { callerBytes: caller * MIB }),
    ...(account !== undefined && { accountBytes: account * MIB }),
    ...(accountLists !== undefined && { accountLists }),
  };
}
