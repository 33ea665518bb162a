import { z } from 'zod';

import { ACCOUNT_NAME } from '../engine/core/names.js';
import { checkBaseUrl } from './checks.js';

/** The settings of an account, in variables and in the accounts file alike. */
export const accountNameSchema = z
  .string()
  .regex(ACCOUNT_NAME, { error: 'must be 1 to 63 lower-case letters, digits or "-"' });

export const baseUrlSchema = z
  .string()
  .trim()
  .default('https://api.gcore.com')
  .superRefine(checkBaseUrl);

export const authSchemeSchema = z
  .string()
  .regex(/^[A-Za-z]+$/, { error: 'must be one word, such as apikey' })
  .default('apikey');

export const DEFAULT_REQUESTS_PER_SECOND = 10;

/** One API key with its budget: what a worker needs to serve an account. */
export interface AccountConfig {
  /** Inputs choose the account by this name. */
  name: string;
  apiKey: string;
  /** The file that holds the key; its content may be replaced while the worker runs. */
  keyFile: string | undefined;
  /** The variable that holds the key. */
  keyVariable: string | undefined;
  authScheme: string;
  baseUrl: string;
  requestsPerSecond: number;
  /** Project and region of inputs that name none. */
  projectId: number | undefined;
  regionId: number | undefined;
  /** The only projects that inputs may name; all when left out. */
  projects: readonly number[] | undefined;
}
