import { invalidArgument } from '../base/grpc-error.js';
import type { Server } from '../model/server.js';
import type { Condition, Value } from './parse.js';
import { typeOfAttribute } from './search-attributes.js';
import { STATUS_NAMES, statusNameOf } from './store.js';

/**
 * A list filter whose names and values fit the attributes of the namespace.
 *
 * @throws GrpcError for a name that the namespace does not have, and for a value of another type
 */
export function checkCondition(server: Server, condition: Condition): Condition {
  switch (condition.kind) {
    case 'all':
      return condition;
    case 'and':
    case 'or': {
      const conditions = condition.conditions.map((part) => checkCondition(server, part));
      return { ...condition, conditions };
    }
    case 'not':
      return { ...condition, condition: checkCondition(server, condition.condition) };
    case 'null':
    case 'starts-with':
      typeOf(server, condition.name);
      return condition;
    case 'compare':
      return { ...condition, value: checkValue(server, condition.name, condition.value) };
    case 'in':
      return {
        ...condition,
        values: condition.values.map((value) => checkValue(server, condition.name, value)),
      };
    case 'between': {
      const { name, from, to } = condition;
      return {
        ...condition,
        from: checkValue(server, name, from),
        to: checkValue(server, name, to),
      };
    }
  }
}

function typeOf(server: Server, name: string): string {
  const type = typeOfAttribute(server, name);
  if (type === undefined) {
    throw invalidArgument(`invalid query: invalid search attribute: ${name}`);
  }
  return type;
}

function checkValue(server: Server, name: string, value: Value): Value {
  const type = typeOf(server, name);
  if (name === 'ExecutionStatus') return checkStatus(value);
  if (type.startsWith('Keyword') && typeof value !== 'string') {
    throw invalidArgument(
      `invalid query: invalid expression: invalid value type for search attribute ${name} of type ${type}: ${String(value)} (type: int64)`,
    );
  }
  if (type === 'Datetime' && typeof value === 'string' && Number.isNaN(Date.parse(value))) {
    throw invalidArgument(`invalid query: invalid expression: unable to parse datetime '${value}'`);
  }
  return value;
}

function checkStatus(value: Value): Value {
  const name = typeof value === 'number' ? statusNameOf(value) : String(value);
  if (STATUS_NAMES.has(name)) return name;
  throw invalidArgument(
    `invalid query: invalid expression: invalid ExecutionStatus value '${String(value)}'`,
  );
}
