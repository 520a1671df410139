// Descriptions of fields that have none at their declaration. A field means the same in every resource, so each meaning
// is written once, by name.
import type { Json } from '../schemas.ts';
import { appFields } from './app.ts';
import { generalFields } from './general.ts';
import { moneyFields } from './money.ts';

const meanings = new Map(Object.entries({ ...appFields, ...generalFields, ...moneyFields }));

/** The same document with a description of every property that has a known name. */
export function describeFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(describeFields);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (key === 'example' || key === 'enum' || key === 'default') return [key, item];
      return [key, key === 'properties' ? describeProperties(item as Json) : describeFields(item)];
    }),
  );
}

function describeProperties(properties: Json): Json {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const described = describeFields(schema) as Json;
      const meaning = meanings.get(name);
      return [name, meaning === undefined || 'description' in described ? described : { ...described, description: meaning }];
    }),
  );
}
