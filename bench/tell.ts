/** What goes on, for who waits: stdout is for the result. */
export function tell(text: string): void {
  process.stderr.write(`${new Date().toISOString()} ${text}\n`);
}
