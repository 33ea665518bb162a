import { invalidArgument } from '../base/grpc-error.js';
import { syntaxError, tokensOf, type Token } from './tokens.js';

export type Value = string | number | boolean;

export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=';

/** A list filter as a tree. */
export type Condition =
  | { kind: 'all' }
  | { kind: 'and' | 'or'; conditions: Condition[] }
  | { kind: 'not'; condition: Condition }
  | { kind: 'compare'; name: string; operator: Comparison; value: Value }
  | { kind: 'in'; name: string; values: Value[] }
  | { kind: 'between'; name: string; from: Value; to: Value }
  | { kind: 'null'; name: string }
  | { kind: 'starts-with'; name: string; prefix: string };

export interface ParsedQuery {
  condition: Condition;
  groupBy: string | undefined;
}

/** Reads a list filter. @throws GrpcError as the server refuses one */
export function parseQuery(query: string): ParsedQuery {
  const reader = readerOf(tokensOf(query));
  const startsAtOnce = reader.isWord('GROUP') || reader.isWord('ORDER') || reader.isEnd();
  const condition: Condition = startsAtOnce ? { kind: 'all' } : disjunction(reader);
  const groupBy = grouping(reader);
  if (!reader.isEnd()) throw syntaxError(reader.at());
  return { condition, groupBy };
}

interface Reader {
  isEnd(): boolean;
  isWord(word: string): boolean;
  takeWord(word: string): boolean;
  takeSign(sign: string): boolean;
  next(): Token;
  at(): number;
}

function readerOf(tokens: readonly Token[]): Reader {
  let index = 0;
  const peek = (): Token => tokens[index] ?? { kind: 'end', at: 0 };
  const isWord = (word: string): boolean => {
    const token = peek();
    return token.kind === 'word' && token.text.toUpperCase() === word;
  };
  const take = (isWanted: boolean): boolean => {
    if (isWanted) index += 1;
    return isWanted;
  };
  return {
    isEnd: () => peek().kind === 'end',
    isWord,
    takeWord: (word) => take(isWord(word)),
    takeSign(sign) {
      const token = peek();
      return take(token.kind === 'sign' && token.text === sign);
    },
    next() {
      const token = peek();
      index += 1;
      return token;
    },
    at: () => peek().at,
  };
}

function grouping(reader: Reader): string | undefined {
  if (reader.isWord('ORDER')) {
    throw invalidArgument("invalid query: operation is not supported: 'ORDER BY' clause");
  }
  if (reader.isWord('LIMIT')) {
    throw invalidArgument("invalid query: operation is not supported: 'LIMIT' clause");
  }
  if (!reader.takeWord('GROUP')) return undefined;
  if (!reader.takeWord('BY')) throw syntaxError(reader.at());
  const name = nameOf(reader);
  if (reader.takeSign(',')) {
    throw invalidArgument(
      "invalid query: operation is not supported: 'GROUP BY' clause supports only a single field",
    );
  }
  if (name !== 'ExecutionStatus') {
    throw invalidArgument(
      `invalid query: operation is not supported: 'GROUP BY' clause is not supported for search attribute ${name}`,
    );
  }
  return name;
}

function disjunction(reader: Reader): Condition {
  const conditions = [conjunction(reader)];
  while (reader.takeWord('OR')) conditions.push(conjunction(reader));
  return join('or', conditions);
}

function conjunction(reader: Reader): Condition {
  const conditions = [negation(reader)];
  while (reader.takeWord('AND')) conditions.push(negation(reader));
  return join('and', conditions);
}

function join(kind: 'and' | 'or', conditions: Condition[]): Condition {
  const [only] = conditions;
  return conditions.length === 1 && only !== undefined ? only : { kind, conditions };
}

function negation(reader: Reader): Condition {
  if (reader.takeWord('NOT')) return { kind: 'not', condition: negation(reader) };
  if (!reader.takeSign('(')) return comparison(reader);
  const condition = disjunction(reader);
  if (!reader.takeSign(')')) throw syntaxError(reader.at());
  return condition;
}

function nameOf(reader: Reader): string {
  const at = reader.at();
  const token = reader.next();
  if (token.kind !== 'word') throw syntaxError(at);
  return token.text;
}

function comparison(reader: Reader): Condition {
  const name = nameOf(reader);
  if (reader.takeWord('IS')) {
    const isNegated = reader.takeWord('NOT');
    if (!reader.takeWord('NULL')) throw syntaxError(reader.at());
    return maybeNot(isNegated, { kind: 'null', name });
  }
  const isNegated = reader.takeWord('NOT');
  const worded = wordedComparison(reader, name);
  if (worded !== undefined) return maybeNot(isNegated, worded);
  if (isNegated) throw syntaxError(reader.at());
  const operator = operatorOf(reader);
  return { kind: 'compare', name, operator, value: valueOf(reader) };
}

function maybeNot(isNegated: boolean, condition: Condition): Condition {
  return isNegated ? { kind: 'not', condition } : condition;
}

function wordedComparison(reader: Reader, name: string): Condition | undefined {
  if (reader.takeWord('IN')) return { kind: 'in', name, values: listOf(reader) };
  if (reader.takeWord('BETWEEN')) {
    const from = valueOf(reader);
    if (!reader.takeWord('AND')) throw syntaxError(reader.at());
    return { kind: 'between', name, from, to: valueOf(reader) };
  }
  if (reader.takeWord('STARTS_WITH')) {
    return { kind: 'starts-with', name, prefix: String(valueOf(reader)) };
  }
  return undefined;
}

const OPERATORS: readonly [string, Comparison][] = [
  ['=', '='],
  ['!=', '!='],
  ['<>', '!='],
  ['<=', '<='],
  ['>=', '>='],
  ['<', '<'],
  ['>', '>'],
];

function operatorOf(reader: Reader): Comparison {
  for (const [sign, operator] of OPERATORS) if (reader.takeSign(sign)) return operator;
  throw syntaxError(reader.at());
}

function listOf(reader: Reader): Value[] {
  if (!reader.takeSign('(')) throw syntaxError(reader.at());
  const values = [valueOf(reader)];
  while (reader.takeSign(',')) values.push(valueOf(reader));
  if (!reader.takeSign(')')) throw syntaxError(reader.at());
  return values;
}

function valueOf(reader: Reader): Value {
  const at = reader.at();
  const token = reader.next();
  if (token.kind === 'text') return token.text;
  if (token.kind === 'number') return token.value;
  if (token.kind === 'word' && /^(?:true|false)$/i.test(token.text)) {
    return token.text.toLowerCase() === 'true';
  }
  if (token.kind === 'word') {
    throw invalidArgument(
      `invalid query: operation is not supported: column name on the right side of comparison expression (did you forget to quote "${token.text}"?)`,
    );
  }
  throw syntaxError(at);
}
