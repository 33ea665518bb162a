import type { Client } from '@temporalio/client';

import type { ListOperation } from '../../contract/uploads.js';
import {
  claimWorkflowId,
  indexWorkflowId,
  uploadOfUrl,
  uploadUrl,
  type UploadName,
} from '../../contract/wire/uploads.js';
import type { Operation } from '../../contract/wire/names.js';
import { DEFAULT_ACCOUNT } from '../../engine/core/names.js';
import type { ReadLarge } from '../intent.js';
import { refuseWhileRead } from './open-readers.js';
import {
  keptLists,
  keptUntil,
  UPLOAD_LIMITS,
  usageOf,
  type KeptList,
  type UploadLimits,
  type UploadUsage,
} from './kept-lists.js';
import { createShelf, removeList } from './shelf.js';
import { UploadNotFoundError } from '../errors.js';
import { uploadList, type UploadedList } from './upload-list.js';

/** One line of a list of uploads. The server may show a change a moment later. */
export interface UploadSummary extends Pick<KeptList, 'operation' | 'lines' | 'by'> {
  account: string;
  manifest: { url: string; sha256: string };
  bytes: number;
  uploadedAt: Date;
  keptUntil: Date;
  /** False while it is uploaded, and after an upload that broke off: the next upload removes that after 15 minutes. */
  isWhole: boolean;
}

export interface UploadsOfAccount {
  /** The newest at the top. */
  uploads: UploadSummary[];
  usage: UploadUsage;
}

export interface UploadOptions {
  /** Whose runs may read it; `default` when left out. */
  account?: string | undefined;
  /** Told how many bytes more are held in memory: a list is kept when all of it has been read. May throw. */
  onHeld?: ((bytes: number) => void) | undefined;
  /** For a program that takes many at once: sends a piece, which is in memory several times then, when its turn comes. */
  sendLarge?: ReadLarge | undefined;
}

export interface DeleteUploadOptions {
  /** Also while an open run reads it: that blocks as `ManifestUnreadable` when it reads on. */
  force?: boolean | undefined;
  /** Lists of other operations do not exist. */
  only?: readonly Operation[] | undefined;
  /** For a program that deletes many at once: reads the history of an open run, which may have megabytes, when its turn comes. */
  readLarge?: ReadLarge | undefined;
}

/** Lists that are too long for an input. The Temporal server keeps them, and nobody needs a worker. */
export interface Uploads {
  /**
   * Hands over a list, line by line: what it answers is the `manifest` of an input of the same account. A list with a
   * fault leaves nothing behind. Of a list that is kept already nothing is touched, unless it is kept for less than 15
   * days: then it is kept for 30 days again.
   * @param lines JSON Lines in UTF-8, at most 64 MiB, such as `createReadStream('videos.jsonl')`
   * @throws InvalidInputError with the faults by line, UploadLimitError, UploadUnsettledError
   */
  upload: (
    operation: ListOperation,
    lines: AsyncIterable<Uint8Array>,
    options?: UploadOptions,
  ) => Promise<UploadedList>;
  /** What is kept for an account, and how much more may be. */
  uploads: (account?: string) => Promise<UploadsOfAccount>;
  /** @throws UploadNotFoundError, UploadInUseError */
  deleteUpload: (upload: UploadName, options?: DeleteUploadOptions) => Promise<void>;
}

interface UploadsDeps {
  client: Client;
  taskQueue: string;
  by: string;
  uploadLimits?: Partial<UploadLimits> | undefined;
}

export function createUploads({ client, taskQueue, by, uploadLimits }: UploadsDeps): Uploads {
  const shelf = createShelf({ client, taskQueue });
  const limits = { ...UPLOAD_LIMITS, ...uploadLimits };
  return {
    upload(operation, chunks, options = {}) {
      const { account = DEFAULT_ACCOUNT, onHeld: hold = () => undefined } = options;
      const { sendLarge = (send) => send() } = options;
      return uploadList({ shelf, limits }, { operation, account, by, chunks, hold, sendLarge });
    },

    async uploads(account = DEFAULT_ACCOUNT) {
      const lists = keptLists(await shelf.list());
      const own = lists.filter((list) => list.account === account);
      const uploads = own.toSorted((one, other) => other.since - one.since).map(toSummary);
      return { uploads, usage: usageOf(lists, limits, { by, account }) };
    },

    async deleteUpload(name, { force = false, only, readLarge } = {}) {
      if (uploadOfUrl(uploadUrl(name)) === undefined) throw new UploadNotFoundError();
      const [claim, index] = [
        await shelf.find(claimWorkflowId(name)),
        await shelf.find(indexWorkflowId(name)),
      ];
      const facts = claim?.facts;
      const isSeen = only?.some((one) => one === facts?.operation) ?? true;
      if (!isSeen || (claim ?? index) === undefined) throw new UploadNotFoundError();
      if (!force) await refuseWhileRead(client, name, readLarge);
      await removeList(shelf, name, { bytes: facts?.bytes });
    },
  };
}

function toSummary({ account, sha256, since, hasClaim, hasIndex, ...list }: KeptList) {
  return {
    account,
    manifest: { url: uploadUrl({ account, sha256 }), sha256 },
    ...list,
    uploadedAt: new Date(since),
    keptUntil: new Date(keptUntil(since)),
    isWhole: hasClaim && hasIndex,
  };
}
