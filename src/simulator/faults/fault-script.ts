import type {
  FaultAction,
  FaultKind,
  FaultMatch,
  FaultRule,
  RateLimitAction,
} from './fault-rule.js';
import { createRateLimiter, type RateLimiter } from './rate-limiter.js';

/** Kinds that change the effect of the request. All other kinds change the exchange. */
const EFFECT_KINDS = [
  'task-error',
  'list-lag',
  'partial-batch',
  'slow-task',
] as const satisfies readonly FaultKind[];
type EffectKind = (typeof EFFECT_KINDS)[number];

export type EffectAction = Extract<FaultAction, { kind: EffectKind }>;
type ScriptedAction = Exclude<FaultAction, RateLimitAction>;
export type ExchangeAction = Exclude<ScriptedAction, EffectAction> | RateLimited;

/** A request without a token. */
export interface RateLimited {
  kind: 'rate-limit';
  waitMs: number;
  retryAfter: boolean;
}

/** The faults of one request. */
export interface DueFaults {
  exchange?: ExchangeAction;
  effects: EffectAction[];
}

export interface AddedRule {
  /** Whether it can still apply to a request. */
  isOpen(): boolean;
  remove(): void;
}

export interface FaultScript {
  add(rule: FaultRule): AddedRule;
  clear(): void;
  /** Counts the request in all rules that match it and uses the rules that apply. */
  take(request: Request): DueFaults;
}

interface Limit extends FaultRule {
  action: RateLimitAction;
  limiter: RateLimiter;
}

interface ScriptedRule extends FaultRule {
  action: ScriptedAction;
  seen: number;
  applied: number;
}

/**
 * At most one rule of each sort applies to a request: the first in the order of `add`. The others wait
 * for the next matching request, so several rules for one call form a sequence.
 */
export function createFaultScript(): FaultScript {
  let rules: ScriptedRule[] = [];
  let limits: Limit[] = [];
  return {
    add({ match, action }) {
      if (action.kind === 'rate-limit') {
        const limit = { match, action, limiter: createRateLimiter(action) };
        limits.push(limit);
        return {
          isOpen: () => limits.includes(limit),
          remove() {
            limits = limits.filter((other) => other !== limit);
          },
        };
      }
      assertCount('nth', match.nth);
      assertCount('times', match.times);
      assertCount('every', match.every);
      const rule = { match, action, seen: 0, applied: 0 };
      rules.push(rule);
      return {
        isOpen: () => rules.includes(rule) && rule.applied < (match.times ?? 1),
        remove() {
          rules = rules.filter((other) => other !== rule);
        },
      };
    },
    clear() {
      rules = [];
      limits = [];
    },
    take(request) {
      const limited = takeToken(limits, request);
      if (limited !== undefined) return { exchange: limited, effects: [] };
      const matching = rules.filter((rule) => isMatch(rule.match, request));
      for (const rule of matching) rule.seen += 1;
      return takeDue(matching.filter(isDue));
    },
  };
}

/** Each limit that matches gives a token. */
function takeToken(limits: readonly Limit[], request: Request): RateLimited | undefined {
  const answers = limits.flatMap(({ match, action, limiter }) => {
    const waitMs = isMatch(match, request) ? limiter.take() : 0;
    return waitMs > 0
      ? [{ kind: action.kind, waitMs, retryAfter: action.retryAfter === true }]
      : [];
  });
  return answers.sort((one, other) => other.waitMs - one.waitMs)[0];
}

function takeDue(due: readonly ScriptedRule[]): DueFaults {
  const exchangeRule = due.find((rule) => !isEffect(rule.action));
  const exchange = exchangeRule && useRule(exchangeRule);
  if (exchange === undefined || isEffect(exchange)) return { effects: takeEffects(due) };
  // A request that is not processed has no effects to change.
  return { exchange, effects: isProcessed(exchange) ? takeEffects(due) : [] };
}

function takeEffects(due: readonly ScriptedRule[]): EffectAction[] {
  return EFFECT_KINDS.flatMap((kind) => {
    const rule = due.find((candidate) => candidate.action.kind === kind);
    const action = rule && useRule(rule);
    return action !== undefined && isEffect(action) ? [action] : [];
  });
}

function useRule(rule: ScriptedRule): ScriptedAction {
  rule.applied += 1;
  return rule.action;
}

function isDue(rule: ScriptedRule): boolean {
  const { nth = 1, times = 1, every = 1 } = rule.match;
  return rule.seen >= nth && (rule.seen - nth) % every === 0 && rule.applied < times;
}

function isMatch({ method, path, userAgent }: FaultMatch, request: Request): boolean {
  if (method !== undefined && method.toUpperCase() !== request.method) return false;
  const agent = request.headers.get('user-agent') ?? '';
  return matchesText(path, new URL(request.url).pathname) && matchesText(userAgent, agent);
}

function matchesText(wanted: string | RegExp | undefined, text: string): boolean {
  if (wanted === undefined) return true;
  return typeof wanted === 'string' ? wanted === text : text.search(wanted) !== -1;
}

function isEffect(action: ScriptedAction): action is EffectAction {
  return EFFECT_KINDS.some((kind) => kind === action.kind);
}

export function isProcessed(action: ExchangeAction): boolean {
  switch (action.kind) {
    case 'drop-request':
    case 'rate-limit':
      return false;
    case 'drop-response':
    case 'delay':
      return true;
    case 'hang':
    case 'status':
      return action.afterProcessing === true;
  }
}

/** A rule that can never apply would let a test pass for the wrong reason. */
function assertCount(name: string, value = 1): void {
  if (value >= 1 && (Number.isInteger(value) || value === Infinity)) return;
  throw new RangeError(`"${name}" of a fault rule must be a whole number from 1, not ${value}`);
}
