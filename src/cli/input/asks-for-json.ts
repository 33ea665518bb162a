/** Reads the raw arguments, because wrong ones leave the options unparsed. */
export function asksForJson(args: readonly string[]): boolean {
  return /(^|\n)(-o\n?|--output[\n=])json(\n|$)/.test(args.join('\n'));
}
