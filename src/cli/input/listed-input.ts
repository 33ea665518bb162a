import { Readable } from 'node:stream';

import type { UploadedList } from '../../client/index.js';
import { operationSchemas, parseInput, type Fault, type Operations } from '../../contract/index.js';
import { MAX_INLINE_BYTES } from '../../contract/operations/bulk-input.js';
import { UPLOADED_LISTS, type ListOperation } from '../../contract/uploads.js';
import { uploadUrl } from '../../contract/wire/uploads.js';
import { DEFAULT_ACCOUNT } from '../../engine/core/names.js';
import { faultsBelow, firstFaults } from '../../engine/core/faults.js';
import { jsonByteLength, plural } from '../../engine/core/text.js';
import { CliError, ExitCode } from '../cli-error.js';
import { tellKept, toKilobytes } from '../output/render-uploads.js';
import type { Session } from '../session.js';
import { withGcore } from '../with-gcore.js';
import { checkInput } from './read-input.js';
import { unplaced, type ItemList } from './read-list.js';

interface Listed<O extends ListOperation> {
  operation: O;
  /** Left out where the list comes by reference. */
  list: ItemList | undefined;
  /** The other fields of the input. */
  input: object;
  /** What is wrong with items of the right form, by their index. */
  faultsOf?: (input: Operations[O]['input'], items: readonly unknown[]) => readonly Fault[];
}

/** The input with a list from a file, checked before any connection. A list that is too long for a request is uploaded. */
export async function listedInput<O extends ListOperation>(
  session: Session,
  listed: Listed<O>,
): Promise<Operations[O]['input']> {
  const input = checkListed(listed);
  const { operation, list } = listed;
  // A short list is in the input itself, so no list that comes beside a manifest is one.
  if (list === undefined || input.manifest === undefined) return input;
  const { account } = input;
  const { manifest } = await upload(session, { operation, account }, list.items);
  return checkInput(operationSchemas[operation].input, { ...input, manifest });
}

/** Names the lines of all faults, also beside a line that is no JSON. A long list has a manifest that nobody has yet. */
export function checkListed<O extends ListOperation>(listed: Listed<O>): Operations[O]['input'] {
  const { operation, list, input } = listed;
  if (list === undefined) return checked(listed, input);
  const { items } = list;
  // One that somebody has named beside the list is refused there.
  const isInline = 'manifest' in input || isShort(operation, items);
  return isInline
    ? checked(listed, { ...input, [UPLOADED_LISTS[operation].field]: items })
    : checked(listed, { ...input, manifest: notYet(input) }, lineFaults(operation, items));
}

/** One that nobody has yet. */
const notYet = (input: object) => ({
  url: uploadUrl({ account: accountIn(input), sha256: '0'.repeat(64) }),
});

function accountIn(input: object): string {
  return 'account' in input && typeof input.account === 'string' ? input.account : DEFAULT_ACCOUNT;
}

interface Target {
  operation: ListOperation;
  account?: string | undefined;
}

/** Uploads a list from a file, however short it is. */
export function uploadInput(
  session: Session,
  { operation, account }: Target,
  list: ItemList,
): Promise<UploadedList> {
  const faults = lineFaults(operation, list.items);
  if (list.faults.length + faults.length > 0) throw refused(operation, list, faults);
  return upload(session, { operation, account }, list.items);
}

function lineFaults(operation: ListOperation, items: readonly unknown[]): Fault[] {
  const { field, line } = UPLOADED_LISTS[operation];
  return items.flatMap((item, at) => {
    const parsed = parseInput<unknown>(line, item);
    return parsed.ok ? [] : faultsBelow(`${field}[${at}]`, parsed.faults);
  });
}

function isShort(operation: ListOperation, items: readonly unknown[]): boolean {
  const { mostInline } = UPLOADED_LISTS[operation];
  return items.length <= mostInline && jsonByteLength(items) <= MAX_INLINE_BYTES;
}

function upload(
  session: Session,
  { operation, account }: Target,
  items: readonly unknown[],
): Promise<UploadedList> {
  function* lines(): Generator<Uint8Array> {
    for (const item of items) yield Buffer.from(`${JSON.stringify(item)}\n`);
  }
  return withGcore(session, async (gcore) => {
    const uploaded = await gcore.upload(operation, Readable.from(lines()), { account });
    session.progress.notice(
      `Uploaded ${plural(items.length, 'item')} (${toKilobytes(uploaded.bytes)}). ${tellKept(uploaded)}`,
    );
    return uploaded;
  });
}

/** @param found faults of the items that are known already */
function checked<O extends ListOperation>(
  { operation, list = unplaced([]), faultsOf }: Listed<O>,
  input: object,
  found: readonly Fault[] = [],
): Operations[O]['input'] {
  const formed = parseInput<Operations[O]['input']>(operationSchemas[operation].input, input);
  const odd = [...found, ...(formed.ok ? (faultsOf?.(formed.value, list.items) ?? []) : [])];
  const faults = formed.ok ? odd : [...found, ...formed.faults];
  if (formed.ok && faults.length + list.faults.length === 0) return formed.value;
  throw refused(operation, list, faults);
}

function refused(operation: ListOperation, list: ItemList, faults: readonly Fault[]): CliError {
  // A list without one readable line has no other fault.
  const isUnread = list.items.length === 0 && list.faults.length > 0;
  const { field } = UPLOADED_LISTS[operation];
  const judged = isUnread ? [] : faults.map((fault) => atItsLine(fault, field, list.placeOf));
  return new CliError({
    type: 'InvalidInput',
    message: 'The input has faults.',
    advice:
      'Nothing was sent. Correct what is named. A list is JSON Lines (one object a line) or a JSON array.',
    exitCode: ExitCode.badInput,
    faults: firstFaults([...list.faults, ...judged]),
  });
}

/** `videos[5].origin_url` is `videos.jsonl:6`, and its message begins with the field. */
function atItsLine(fault: Fault, field: string, placeOf: ItemList['placeOf']): Fault {
  const [whole, list, index, rest = ''] = /^(\w+)\[(\d+)\](?:\.?(.+))?$/s.exec(fault.path) ?? [];
  const place = whole !== undefined && list === field ? placeOf(Number(index)) : undefined;
  if (place === undefined) return fault;
  return { path: place, message: rest === '' ? fault.message : `${rest} ${fault.message}` };
}
