import proto from '@temporalio/proto';
import type { native } from '@temporalio/core-bridge';

import type { RpcCall } from '../link.js';
import { bridgeErrors } from '../sdk-internals.js';
import { CallError, toCallError, UNIMPLEMENTED } from './call-error.js';
import { Connection, type ConnectionOptions } from './connection.js';
import type { CallKind } from './retries.js';

/** A client as lang holds it. */
export class NativeClient {
  readonly type = 'client';
  readonly connection: Connection;

  constructor(connection: Connection) {
    this.connection = connection;
  }
}

/** @throws TransportError where the server is not there */
export async function connectClient(options: ConnectionOptions): Promise<NativeClient> {
  const connection = new Connection(options);
  try {
    await connection.connect();
  } catch (error: unknown) {
    const { details } = toCallError(error);
    throw new bridgeErrors.TransportError(`Failed to call GetSystemInfo: ${details}`);
  }
  return new NativeClient(connection);
}

type Service = RpcCall['service'];

/** @throws ServiceError */
export async function sendRequest(
  { connection }: NativeClient,
  service: Service,
  call: native.RpcCall,
): Promise<Buffer> {
  try {
    const [Request, Response] = [
      codecOf(service, call.rpc, 'Request'),
      codecOf(service, call.rpc, 'Response'),
    ];
    const request = Request.decode(call.req);
    const kind = call.retry ? kindOf(call.rpc, request) : 'once';
    const timeoutMs = call.timeout ?? undefined;
    const answer = await connection.call({ service, rpc: call.rpc, request }, { kind, timeoutMs });
    return Buffer.from(Response.encode(answer).finish());
  } catch (error: unknown) {
    throw toServiceError(toCallError(error));
  }
}

/** Calls that wait for something to happen have longer. */
function kindOf(rpc: string, request: object): CallKind {
  if (rpc === 'UpdateWorkflowExecution' || rpc === 'ExecuteMultiOperation') return 'userLongPoll';
  const waits =
    rpc === 'GetWorkflowExecutionHistory' && Reflect.get(request, 'waitNewEvent') === true;
  return waits ? 'userLongPoll' : 'normal';
}

interface Codec {
  decode(bytes: Uint8Array): object;
  encode(message: object): { finish(): Uint8Array };
}

function isCodec(value: unknown): value is Codec {
  const isThere = typeof value === 'function' || (typeof value === 'object' && value !== null);
  return isThere && 'decode' in value && 'encode' in value;
}

const codecs = new Map<string, Codec>();

function codecOf(service: Service, rpc: string, kind: 'Request' | 'Response'): Codec {
  const name = `${service}/${rpc}${kind}`;
  const known = codecs.get(name);
  if (known !== undefined) return known;
  const found: unknown =
    service === 'HealthService'
      ? Reflect.get(proto.grpc.health.v1, `HealthCheck${kind}`)
      : Reflect.get(
          service === 'WorkflowService'
            ? proto.temporal.api.workflowservice.v1
            : proto.temporal.api.operatorservice.v1,
          `${rpc}${kind}`,
        );
  if (!isCodec(found)) throw new CallError(UNIMPLEMENTED, `unknown method ${rpc}`);
  codecs.set(name, found);
  return found;
}

/** As the bridge gives the errors of gRPC to lang: their details are in the metadata. */
function toServiceError({ code, details, metadata }: CallError): Error {
  return bridgeErrors.ServiceError.fromNative({
    name: 'ServiceError',
    message: details,
    code,
    details: '',
    metadata,
  });
}
