import type { Comparison, Condition, Value } from './parse.js';

/** What a record says of an attribute: a value, a list of them that may be empty, or nothing. */
export type Attribute = Value | readonly Value[] | undefined;

export type Attributes = (name: string) => Attribute;

/** As in SQL: whether a condition holds is unknown where it asks for a value that is not there. */
type Truth = boolean | undefined;

/** Whether a record fulfils a list filter. */
export function matches(condition: Condition, attributes: Attributes): boolean {
  return truthOf(condition, attributes) === true;
}

function truthOf(condition: Condition, attributes: Attributes): Truth {
  switch (condition.kind) {
    case 'all':
      return true;
    case 'and':
      return all(condition.conditions.map((part) => truthOf(part, attributes)));
    case 'or':
      return not(all(condition.conditions.map((part) => not(truthOf(part, attributes)))));
    case 'not':
      return not(truthOf(condition.condition, attributes));
    case 'null':
      return isNothing(attributes(condition.name));
    case 'compare':
      return compares(attributes(condition.name), condition.operator, condition.value);
    case 'in':
      return isIn(attributes(condition.name), condition.values);
    case 'between':
      return all([
        compares(attributes(condition.name), '>=', condition.from),
        compares(attributes(condition.name), '<=', condition.to),
      ]);
    case 'starts-with':
      return startsWith(attributes(condition.name), condition.prefix);
  }
}

function isNothing(attribute: Attribute): boolean {
  return attribute === undefined || (Array.isArray(attribute) && attribute.length === 0);
}

function not(truth: Truth): Truth {
  return truth === undefined ? undefined : !truth;
}

function all(truths: readonly Truth[]): Truth {
  if (truths.includes(false)) return false;
  return truths.includes(undefined) ? undefined : true;
}

function startsWith(attribute: Attribute, prefix: string): Truth {
  if (attribute === undefined) return undefined;
  return typeof attribute === 'string' && attribute.startsWith(prefix);
}

function isIn(attribute: Attribute, values: readonly Value[]): Truth {
  if (attribute === undefined) return undefined;
  return values.some((value) => compares(attribute, '=', value) === true);
}

function compares(attribute: Attribute, operator: Comparison, value: Value): Truth {
  if (attribute === undefined) return undefined;
  if (isList(attribute)) {
    const contains = attribute.some((item) => isEqual(item, value));
    return operator === '!=' ? !contains : operator === '=' && contains;
  }
  const [left, right] = comparable(attribute, value);
  switch (operator) {
    case '=':
      return isEqual(left, right);
    case '!=':
      return !isEqual(left, right);
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
  }
}

function isList(attribute: Value | readonly Value[]): attribute is readonly Value[] {
  return Array.isArray(attribute);
}

/** What the server does not find, however a filter writes it. */
const UNFINDABLE = /["\\]/;

function isEqual(a: Value, b: Value): boolean {
  const text = String(a);
  return text === String(b) && !(typeof a === 'string' && UNFINDABLE.test(text));
}

/** A time is a number of milliseconds: a filter may write it as a text. */
function comparable(attribute: Value, value: Value): [Value, Value] {
  if (typeof attribute !== 'number' || typeof value !== 'string') return [attribute, value];
  const number = Number(value);
  return [attribute, Number.isNaN(number) ? Date.parse(value) : number];
}
