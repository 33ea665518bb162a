import type { UploadedList, UploadsOfAccount, UploadUsage } from '../../client/index.js';
import { align } from './align.js';

export function renderUploads({ uploads, usage }: UploadsOfAccount): string[] {
  const rows = uploads.map(({ manifest, operation, lines, bytes, by, keptUntil, isWhole }) => [
    manifest.url,
    operation ?? 'unknown',
    lines?.toString() ?? '',
    toKilobytes(bytes),
    isWhole ? keptUntil.toISOString() : 'not whole',
    by ?? 'unknown',
  ]);
  return [
    ...align([['LIST', 'OPERATION', 'LINES', 'SIZE', 'KEPT UNTIL', 'BY'], ...rows]),
    tellUsage(usage),
  ];
}

/** What a person learns of an upload. */
export function tellKept({ keptUntil, usage }: UploadedList): string {
  return `The Temporal server keeps them until ${keptUntil.toISOString().slice(0, 10)}. ${tellUsage(usage)}`;
}

function tellUsage({ caller, account, list }: UploadUsage): string {
  const kept = `Kept of you: ${share(caller)}; of the account: ${share(account)}, ${account.lists} of ${account.mostLists} lists.`;
  return `${kept} A list may have ${toKilobytes(list.mostBytes)}.`;
}

function share({ bytes, mostBytes }: { bytes: number; mostBytes: number }): string {
  return `${toKilobytes(bytes)} of ${toKilobytes(mostBytes)}`;
}

export function toKilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1000)} kB`;
}
