export interface Gate {
  /** Resolves when `open` has been called. */
  opened: Promise<void>;
  open: () => void;
}

/** A gate that a test opens when it is ready. Everything that awaits `opened` waits until then. */
export function createGate(): Gate {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
