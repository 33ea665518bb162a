import type { HttpBindings } from '@hono/node-server';
import type { OpenAPIHono, RouteConfig } from '@hono/zod-openapi';
import type { Context } from 'hono';

import type { GcoreWorkflows } from '../client/index.js';
import type { SitDown } from './connections.js';
import type { Caller, Scope } from '../tokens/token-file.js';
import type { StatusBoard } from './status-board.js';
import type { StreamCap } from './stream-cap.js';

/** How slowly a body may come: who sends a form letter by letter holds a seat for nothing. */
export interface Pace {
  /** The longest time without a byte, and the time that a body has beside that which its bytes earn. */
  ms: number;
  /** Bytes that earn as much time again. */
  bytes: number;
}

/** Makes an answer that may have megabytes, when its turn comes. @throws ProblemError (503) */
export type MakeLarge = <T>(make: () => Promise<T>) => Promise<T>;

export type ServerBindings = HttpBindings & { sitDown: SitDown };

export interface GatewayEnv {
  /** What the Node server gives; nothing in a call without a port. */
  Bindings: Partial<ServerBindings>;
  Variables: {
    requestId: string;
    caller: Caller;
    /** What the log names instead of the path: a path holds what the caller chose. */
    route: string;
    /** The caller as the tokens are now, `undefined` when its token counts no more: a wait outlives the first check. */
    callerNow: () => Promise<Caller | undefined>;
    /** Where browsers reach this server, such as `https://runs.example.com`. */
    origin: string;
    /** Address of the caller. */
    address: string;
    /** Counts bytes that are in memory until the answer has been read. @throws ProblemError (503) */
    hold: (bytes: number) => void;
    /** Waits until a body of so many bytes may become values. @throws ProblemError (503) */
    takeTurn: (bytes: number) => Promise<void>;
    /** Nothing is left of the values of the body: what follows may take long. */
    endTurn: () => void;
    /** How slowly a body may come. */
    pace: Pace;
    makeLarge: MakeLarge;
    /** Where an error came from that no table knows. */
    unexpected: string | undefined;
  };
}

export type GatewayApp = OpenAPIHono<GatewayEnv>;
export type GatewayContext = Context<GatewayEnv>;

/** What the routes work with. */
export interface GatewayParts {
  gcore: GcoreWorkflows;
  board: StatusBoard;
  streams: StreamCap;
  /** Of uploads, each of which holds some megabytes, and of deletions, each of which reads the inputs of many runs. */
  uploads: StreamCap;
  audit: Audit;
  /** Aborted when the gateway ends: waits and streams end. */
  closing: AbortSignal;
}

/** A route of the API, as the reference describes it and as the gateway serves it. */
export interface Endpoint {
  route: RouteConfig;
  scope: Scope;
  handle: (context: GatewayContext) => Promise<Response>;
}

/** One read of what runs hold, or one thing that was asked of them: who, which run, from where. */
export interface AuditEntry {
  requestId: string;
  /**
   * `start`, `retry`, `upload`, `delete-upload`, `input`, `whole-input`, `result`, `report`, `decode`, `encode`, or what was asked of
   * a run, such as `abort`.
   */
  action: string;
  /** Missing where no run is meant: for an upload, and at the codec server. */
  workflowId?: string;
  /** The list that was to be deleted. */
  upload?: string;
  /** Name of the token. */
  caller: string;
  /** Address of the caller. */
  from: string;
  /** `done`, or the code of the problem that refused it. */
  outcome: string;
}

export type Audit = (entry: AuditEntry) => void;
