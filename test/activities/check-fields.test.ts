import { describe, expect, it } from '@jest/globals';

import { checkFields, missingFields } from '../../src/activities/check-fields.js';
import {
  profileTemplateListSchema,
  type ProfileTemplate,
  type ProfileFieldBody,
} from '../../src/contract/api/ddos.js';

const PORTS_SCHEMA = {
  type: 'array',
  minItems: 1,
  items: { type: 'integer', minimum: 1000, maximum: 65_535 },
};

function template(...fields: Record<string, unknown>[]): ProfileTemplate {
  const results = [{ id: 12, name: 'Web', fields }];
  const [parsed] = profileTemplateListSchema.parse({ count: 1, results }).results;
  if (parsed === undefined) throw new Error('no template');
  return parsed;
}

const WEB = template(
  { id: 3, name: 'ports', required: true, default: null, validation_schema: PORTS_SCHEMA },
  { id: 4, name: 'mode', required: true, default: 'auto', validation_schema: { enum: ['a', 'b'] } },
);

function check(...fields: ProfileFieldBody[]): string[] {
  return checkFields(WEB, fields).map(({ path, message }) => `${path} ${message}`);
}

describe('the fields of a profile, checked against its template', () => {
  it('pass when each value fits its schema and each missing one has a default', () => {
    expect(check({ base_field: 3, field_value: [8080, 8443] })).toEqual([]);
  });

  it('report each fault by its path', () => {
    expect(
      check(
        { base_field: 3, field_value: [80, 'x'] },
        { base_field: 4, field_value: 'c' },
        { base_field: 9, field_value: 1 },
      ),
    ).toEqual([
      'profile.fields[0].field_value[0] must be >= 1000 (field 3 (ports))',
      'profile.fields[0].field_value[1] must be integer (field 3 (ports))',
      'profile.fields[1].field_value must be equal to one of the allowed values: a, b (field 4 (mode))',
      'profile.fields[2].base_field is not a field of template 12 (Web); it has 3 (ports), 4 (mode)',
    ]);
  });

  it('fail when a required one without a default is missing or null', () => {
    const lack =
      'profile.fields lack the field 3 (ports), which template 12 (Web) requires: add {"base_field": 3, "field_value": …}';

    expect(check()).toEqual([lack]);
    expect(check({ base_field: 3, field_value: null })).toEqual([lack]);
    expect(missingFields(WEB, [])).toHaveLength(1);
  });

  it.each([
    ['missing', {}],
    ['null', { validation_schema: null }],
    ['no schema at all', { validation_schema: 'array' }],
    ['broken', { validation_schema: { type: 'nonsense' } }],
    ['of a remote place', { validation_schema: { $ref: 'https://schemas.example/x.json' } }],
  ])('pass when the schema is %s', (_, rest) => {
    const odd = template({ id: 3, ...rest });

    expect(checkFields(odd, [{ base_field: 3, field_value: 'anything' }])).toEqual([]);
  });

  it('can be checked by the same schema repeatedly', () => {
    const schema = { $id: 'ports', type: 'integer' };
    const once = template({ id: 3, name: 'x', validation_schema: schema });
    const twice = template({ id: 3, name: 'x', validation_schema: { ...schema } });
    const bad = [{ base_field: 3, field_value: 'x' }];

    expect(checkFields(once, bad)).toHaveLength(1);
    expect(checkFields(twice, bad)).toHaveLength(1);
  });
});
