/** Lets time pass, in a world where it is simulated: elsewhere a test waits for what it needs. */
export function pass(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
