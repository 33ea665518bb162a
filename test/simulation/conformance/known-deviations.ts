/** Where the simulation differs from the real server, by the name of the script, and why. */
export const KNOWN_DEVIATIONS: ReadonlyMap<string, string> = new Map([
  [
    'a query for the stack trace',
    'the simulated core keeps promise hooks off: they cost half of the time of a simulation',
  ],
]);
