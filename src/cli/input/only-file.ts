import { CliError } from '../cli-error.js';
import { ExitCode } from '../exit-code.js';

/** The one file that an argument or `--file` names. `usage` shows how. */
export function onlyFile(
  argument: string | undefined,
  option: string | undefined,
  usage: string,
): string {
  const file = argument ?? option;
  if (file !== undefined && (argument === undefined || option === undefined)) return file;
  throw new CliError({
    type: 'Usage',
    message: file === undefined ? 'The input file is missing.' : 'Two input files are named.',
    advice: `Name one JSON file, or - to read JSON from stdin: ${usage}`,
    exitCode: ExitCode.badInput,
  });
}
