/** Sets the clock of this process, as an operator or NTP may do, while `act` runs. */
export async function withClockSetBy<T>(ms: number, act: () => Promise<T>): Promise<T> {
  const { now } = Date;
  Date.now = () => now() + ms;
  try {
    return await act();
  } finally {
    Date.now = now;
  }
}
