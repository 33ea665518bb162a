/** A call that failed, with the code of gRPC. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly code: number;
  readonly details: string;
  readonly metadata: Record<string, Buffer>;

  constructor(code: number, details: string, metadata: Record<string, Buffer> = {}) {
    super(details);
    this.code = code;
    this.details = details;
    this.metadata = metadata;
  }
}

export const CANCELLED = 1;
export const UNKNOWN = 2;
export const INVALID_ARGUMENT = 3;
export const DEADLINE_EXCEEDED = 4;
export const NOT_FOUND = 5;
export const RESOURCE_EXHAUSTED = 8;
export const UNIMPLEMENTED = 12;
export const UNAVAILABLE = 14;

/** The error of a server or of the way to it, whatever class it has. */
export function toCallError(error: unknown): CallError {
  if (error instanceof CallError) return error;
  if (typeof error !== 'object' || error === null) return new CallError(UNKNOWN, String(error));
  const code: unknown = Reflect.get(error, 'code');
  const details: unknown = Reflect.get(error, 'details') ?? Reflect.get(error, 'message');
  // What has no code is no answer, but a fault of the simulation: it is not to be taken for one.
  if (typeof code !== 'number') throw error instanceof Error ? error : new Error('no error');
  return new CallError(code, typeof details === 'string' ? details : '', readMetadata(error));
}

function readMetadata(error: object): Record<string, Buffer> {
  const metadata: unknown = Reflect.get(error, 'metadata');
  if (typeof metadata !== 'object' || metadata === null) return {};
  return Object.fromEntries(
    Object.entries(metadata).filter((entry): entry is [string, Buffer] =>
      Buffer.isBuffer(entry[1]),
    ),
  );
}
