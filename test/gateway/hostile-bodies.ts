import { jsonSchemas } from '../../src/contract/json-schemas.js';
import { wrongItems, wrongItemsOfItems } from './lists-of-schema.js';

/** Below the limit of a body, which is 2.1 MB. */
const BYTES = 2_000_000;
/** Below the limit of the values of an input. */
const VALUES = 39_000;

const many = (count: number, item: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => item(at)).join(',');
const filled = (item: string) =>
  Array(Math.floor(BYTES / (item.length + 1)))
    .fill(item)
    .join(',');
const inEachField = (list: string) =>
  `{"storeId":1,"items":[${list}],"videos":[${list}],"keyNames":[${list}],"instance":{"volumes":[${list}]},"profile":{"fields":[${list}]}}`;

/** What a stranger may send to any route, by what is wrong with it. */
const HOSTILE_BODIES = {
  'no fields': '{"x":1}',
  '4,000 unknown fields': `{${many(4_000, (at) => `"k${at}":1`)}}`,
  'unknown fields, as many as an input may have': `{${many(VALUES, (at) => `"k${at}":1`)}}`,
  'unknown fields, up to the limit': `{${many(130_000, (at) => `"k${at}":1`)}}`,
  'a million items': `{"items":[${filled('1')}],"storeId":1}`,
  'as many wrong items as an input may have': `{"storeId":1,"items":[${many(VALUES, () => '{}')}]}`,
  'wrong items in every list': inEachField(many(VALUES / 5 - 10, () => '1')),
  'a million levels': '['.repeat(BYTES),
  '90 levels': `{"instance":${'{"a":'.repeat(90)}1${'}'.repeat(90)}}`,
  'no JSON': '-'.repeat(BYTES),
  'a name that is there twice': `{"a":1,${many(200_000, () => '"b":1')}}`,
  'as many different fields of a profile as an input may have': `{"x":1,"profile":{"ip_address":"203.0.113.7","profile_template":1,"fields":[${many(VALUES / 2, (at) => `{"base_field":${at + 1}}`)}]}}`,
  'a long text in every field': `{"instance":{"user_data":"${'='.repeat(BYTES / 2)}"},"profile":{"ip_address":"${':'.repeat(BYTES / 4)}"},"onFailure":"${'x'.repeat(BYTES / 5)}"}`,
  'names of a prototype': `{"__proto__":{"a":1},"constructor":{"prototype":{}},"toString":1,"labels":{"__proto__":"x"},"items":[{"__proto__":{"a":1}}]}`,
  'a name of two megabytes, all of it signs of a pointer': `{"${'~/'.repeat(BYTES / 2 - 10)}":1}`,
  'bytes of zero': `{"requestId":"${String.raw`\u0000`.repeat(10_000)}","labels":{"${String.raw`\u0000`}":"a"},"storeId":1,"items":[{"key":"${String.raw`\u0000`}"}]}`,
  'a duration of half a megabyte': `{"deadline":"${'1'.repeat(BYTES / 4)} minutes"}`,
  'half pairs': `{"keyNames":[${many(VALUES, () => String.raw`"\ud800"`)}]}`,
  'defaults that are wrong in each item': `{"operation":"provisionInstance","defaults":{"instance":{"interfaces":[${many(99, () => '{}')}]}},"items":[${many(1_000, () => '{}')}]}`,
  'defaults that are right in each item': `{"operation":"importVideos","defaults":{"videos":[${many(48, (at) => `{"name":"a","origin_url":"https://a.example/${at}"}`)}]},"items":[${many(990, (at) => `{"requestId":"a${at}"}`)},{}]}`,
  'calls with as many names as an input may have': `{"operation":"callApi","items":[${many(1_800, (at) => `{"method":"PATCH","path":"/cloud/v1/volumes/1/1/${at}","body":{${many(18, (name) => `"f_${at}_${name}_key":"a text=${name}"`)}}}`)},{}]}`,
  'secrets below a name that is long': `{"method":"POST","path":"/cloud/v1/things/1/2","body":{"a b${'x'.repeat(25_000)}":{${many(1_400, (at) => `"password${at}":"abc123"`)}}},"look":{"path":"/cloud/v1/things/1/2","pointer":"/a","equals":1}}`,
  'secrets below a name of half a megabyte': `{"method":"POST","path":"/cloud/v1/things/1/2","body":{"a b${'x'.repeat(500_000)}":{${many(3_000, (at) => `"password${at}":"abc123"`)}}}}`,
  'a million lines': '{}\n'.repeat(BYTES / 3),
  'a form': `token=${'%41'.repeat(BYTES / 3)}`,
};

type Name = keyof typeof HOSTILE_BODIES;

/** Only those whose schemas have long lists get all of them, and one of each kind of path: one reader serves all of a kind. */
const GETS_ALL =
  /\/(?:(?:runs|uploads)\/(?:callApi|modifyKvStore|protectIp|provisionInstance|runBatch)|plans\/runBatch|batches\/callApi)$/;

/** What the others get, by their path. The first that fits counts. */
const OF_OTHERS: readonly (readonly [RegExp, readonly Name[]])[] = [
  // The start of a run reads the body of its plan, by the same schema.
  [/^POST \/v1\/plans\//, ['wrong items in every list']],
  // All have the fields of `runBatch`, and each the defaults and items of its operation.
  [
    /^POST \/v1\/batches\//,
    ['defaults that are wrong in each item', 'defaults that are right in each item'],
  ],
  [
    /^POST \/v1\/runs\//,
    [
      'unknown fields, as many as an input may have',
      'unknown fields, up to the limit',
      'wrong items in every list',
    ],
  ],
  [
    /^POST /,
    [
      'unknown fields, as many as an input may have',
      'unknown fields, up to the limit',
      'a million items',
      'wrong items in every list',
      'a million levels',
      '90 levels',
      'a form',
    ],
  ],
  // Nobody reads it.
  [/^/, ['unknown fields, up to the limit', 'a form']],
];

const BYTES_OF = new Map<string, Buffer>(
  Object.entries(HOSTILE_BODIES).map(([name, body]) => [name, Buffer.from(body)]),
);

/** The lists of an operation share the values that an input may have. */
const OF_A_LIST = VALUES / 10;
const ITEMS = 1_000;

const schemas = jsonSchemas();

/** What the lists of this operation are full of; of nothing for a path that names no operation. */
function bodiesOfOperation(path: string): (readonly [string, Buffer])[] {
  const [, kind, operation = ''] = /\/(runs|batches)\/(\w+)$/.exec(path) ?? [];
  const schema = schemas[`${operation}.input`];
  if (schema === undefined) return [];
  const inputs = {
    'wrong items in each list of its schema': wrongItems(schema, OF_A_LIST),
    'wrong items in each list of its items': wrongItemsOfItems(schema, OF_A_LIST),
  };
  const items = Array<unknown>(ITEMS).fill({});
  const sent = (input: unknown) => (kind === 'batches' ? { defaults: input, items } : input);
  return Object.entries(inputs)
    .filter(([, input]) => input !== undefined)
    .map(([name, input]) => [name, Buffer.from(JSON.stringify(sent(input)))]);
}

function namesFor(route: string): readonly string[] {
  if (GETS_ALL.test(route)) return [...BYTES_OF.keys()];
  return OF_OTHERS.find(([path]) => path.test(route))?.[1] ?? [];
}

/** The hostile bodies for a route, by their names. */
export function bodiesFor(route: string): ReadonlyMap<string, Buffer> {
  const common = namesFor(route).map(
    (name) => [name, BYTES_OF.get(name) ?? Buffer.alloc(0)] as const,
  );
  return new Map([...common, ...bodiesOfOperation(route)]);
}
