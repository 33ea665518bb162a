import { CliError, ExitCode } from '../../cli-error.js';
import { codeOf } from '../../output/error-text.js';

const REASONS: Record<string, string> = {
  EEXIST: 'is a file',
  ENOTDIR: 'is below a file',
  EACCES: 'cannot be written by this user',
  EROFS: 'is on a disk that is read-only',
  ENOSPC: 'is on a disk that is full',
  EDQUOT: 'is on a disk whose quota is used up',
};

/** The error of a folder that cannot keep the state; any other error unchanged. */
export function folderFault(error: unknown, folder: string): unknown {
  const reason = REASONS[codeOf(error) ?? ''];
  if (reason === undefined) return error;
  return new CliError({
    type: 'FolderUnusable',
    message: `The folder ${folder} ${reason}.`,
    advice: 'Name another with --folder, or mend that; nothing was started.',
    exitCode: ExitCode.failed,
  });
}
