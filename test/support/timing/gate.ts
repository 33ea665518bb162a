export interface Gate {
  /** Resolves when `open` has been called. */
  opened: Promise<void>;
  open: () => void;
}

/** Holds back whatever waits for it until a test has seen what it wants to see. */
export function createGate(): Gate {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
