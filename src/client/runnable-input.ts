import type { Client } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';

import {
  CLEAR_SECRETS_DATA,
  clearSecretFaults,
  isInClear,
  type ClearSecrets,
} from '../contract/clear-secrets.js';
import { itemFaults } from '../contract/batch-items.js';
import { operationSchemas, type Operations } from '../contract/operations/index.js';
import { partNameFaults } from '../contract/part-names.js';
import type { Operation } from '../contract/wire/names.js';
import type { Fault } from '../engine/core/failures.js';
import { inputSizeFaults, idFaults } from '../engine/core/faults.js';
import { parseInput, type ParsedInput } from '../engine/schema/parse-input.js';
import { InvalidInputError } from './errors.js';
import { GrpcCode, grpcCodeOf } from './server-calls.js';

/** A plan under the id of the request would count as the request being done. */
const PLAN_IS_NO_RUN = {
  path: 'planOnly',
  message: 'makes a plan instead of a run: leave it out, or use `plan`',
};

/** The input of a run, or every fault for which neither a start nor a schedule takes it. */
export function runnableInput<O extends keyof Operations>(
  operation: O,
  input: unknown,
  clearSecrets: ClearSecrets,
): ParsedInput<Operations[O]['input']> {
  const tooLarge = inputSizeFaults(input);
  if (tooLarge.length > 0) return { ok: false, faults: tooLarge };
  const parsed = sendableInput(operation, input, clearSecrets);
  if (!parsed.ok) return parsed;
  return parsed.value.planOnly === true ? { ok: false, faults: [PLAN_IS_NO_RUN] } : parsed;
}

/** An input that may be sent, or every fault: those of its form, and secrets in clear. */
export function sendableInput<O extends keyof Operations>(
  operation: O,
  input: unknown,
  clearSecrets: ClearSecrets,
): ParsedInput<Operations[O]['input']> {
  const parsed = parseWhole(operation, input);
  const refused = refusedSecrets(clearSecrets, operation, input);
  if (refused.length === 0) return parsed;
  const faults = parsed.ok ? [] : parsed.faults;
  const isTold = new Set(faults.map(({ path }) => path));
  return { ok: false, faults: [...faults, ...refused.filter(({ path }) => !isTold.has(path))] };
}

/** Those of its items too: they are inputs of another operation. */
function parseWhole<O extends keyof Operations>(
  operation: O,
  input: unknown,
): ParsedInput<Operations[O]['input']> {
  const parsed = parseInput<Operations[O]['input']>(operationSchemas[operation].input, input);
  const faults = parsed.ok ? itemFaults(parsed.value) : [];
  return faults.length === 0 ? parsed : { ok: false, faults };
}

interface Request {
  operation: Operation;
  input: unknown;
  requestId?: string | undefined;
  workflowId?: string | undefined;
}

/** Refuses a request that the Temporal server or a worker could not take, before anything is sent. */
export function refuseUnfit({ operation, input, requestId = '', workflowId = '' }: Request): void {
  const faults = [
    ...inputSizeFaults(input),
    ...idFaults('requestId', requestId),
    ...idFaults('workflowId', workflowId),
    ...partNameFaults(operation, 'requestId', requestId),
    ...partNameFaults(operation, 'workflowId', workflowId),
  ];
  if (faults.length > 0) throw new InvalidInputError(faults);
}

const RULE =
  'would stand in clear in the history of the run: name a secret of the worker, { "$secret": "name" }, or encrypt the payloads, or allow it (GCORE_CLEAR_SECRETS=allow; in a program "clearSecrets")';

/** The secrets of an input that a client may not send. */
function refusedSecrets(clearSecrets: ClearSecrets, operation: Operation, input: unknown): Fault[] {
  return clearSecrets === 'allow' ? [] : clearSecretFaults(operation, input, RULE);
}

/** Whether the client may send the secrets of this input in clear now. */
export type ClearSecretsNow = (operation: Operation, input: unknown) => Promise<ClearSecrets>;

type Asked = Pick<Client, 'options' | 'workflowService'>;

/**
 * A client may send secrets in clear when it is told so, when it encrypts what it sends, or when the namespace
 * is one for trying out. Asks nobody for an input without any.
 */
export function clearSecretsOf(client: Asked, given: ClearSecrets | undefined): ClearSecretsNow {
  return async (operation, input) => {
    if (given !== undefined) return given;
    if (clearSecretFaults(operation, input, RULE).length === 0) return 'allow';
    const isAllowed = (await encrypts(client)) || (await isForTryingOut(client));
    return isAllowed ? 'allow' : 'refuse';
  };
}

/** A codec may as well compress only, or have lost its key, so it is asked for a payload each time. */
async function encrypts({ options }: Asked): Promise<boolean> {
  let payloads = [defaultPayloadConverter.toPayload('')];
  for (const codec of options.loadedDataConverter.payloadCodecs) {
    payloads = await codec.encode(payloads);
  }
  return !payloads.some(isInClear);
}

/**
 * Whether \`gcore-workflows dev\` has made the namespace. Its address would not tell: a tunnel to a production
 * server begins at this machine too.
 */
async function isForTryingOut({ options, workflowService }: Asked): Promise<boolean> {
  try {
    const { namespace } = options;
    const { namespaceInfo } = await workflowService.describeNamespace({ namespace });
    return namespaceInfo?.data?.[CLEAR_SECRETS_DATA] === 'allow';
  } catch (error) {
    // A client may have the right to start runs only.
    if (grpcCodeOf(error) === GrpcCode.permissionDenied) return false;
    throw error;
  }
}
