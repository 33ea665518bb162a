export interface CallContext {
  readonly signal: AbortSignal | undefined;
}

/** Handles one call: the request as the client has sent it, decoded. It throws a GrpcError. */
export type Handler = (request: object, call: CallContext) => object | Promise<object>;

/** Handlers by the name of their call. */
export type Handlers = Readonly<Record<string, Handler>>;
