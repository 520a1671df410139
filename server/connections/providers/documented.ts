// How the API document describes providers: one variant per type, each with its own settings. Requests are validated by
// settings.ts, which reports every fault of every setting.
import { z } from 'zod';
import { type ProviderType, types } from './provider-types.ts';

/** `stripe_connect` becomes `StripeConnect`. */
const toName = (type: string): string => type.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

const typeField = ({ type }: ProviderType) => z.literal(type).describe('The type of the provider, which never changes.');

/** One schema with a variant per type: `build` adds what the type decides. The variants are named after their type. */
function perType(
  id: string,
  example: unknown,
  nameVariant: (name: string) => string,
  build: (type: ProviderType) => z.ZodRawShape,
): z.ZodType {
  const variants = types.map((type) => z.object(build(type)).meta({ id: nameVariant(toName(type.type)), title: type.type }));
  const mapping = Object.fromEntries(types.map(({ type }) => [type, `#/components/schemas/${nameVariant(toName(type))}`]));
  const [first, ...others] = variants;
  if (!first) throw new Error('There are no provider types.');
  return z.discriminatedUnion('type', [first, ...others]).meta({ id, example, discriminator: { propertyName: 'type', mapping } });
}

const configs = new Map(
  types.map(({ type, config }) => [
    type,
    z.object(config.shape).meta({ id: `${toName(type)}Config`, description: `The settings of a provider of the type \`${type}\`.` }),
  ]),
);

/** A provider in responses. Its variants are named after their type and end in `id`. */
export function describeProvider(id: 'Provider' | 'CreatedProvider', shape: z.ZodRawShape, example: unknown): z.ZodType {
  return perType(
    id,
    example,
    (name) => id.replace('Provider', `${name}Provider`),
    (type) => ({
      ...shape,
      type: typeField(type),
      config: configs.get(type.type)?.describe('The settings of the provider.') ?? z.object({}),
      configuredSecrets: z
        .array(z.string())
        .describe('The names of the secrets that are set. Their values are never returned.')
        .meta({ json: { type: 'array', items: enumerate(Object.keys(type.secrets.shape)) } }),
    }),
  );
}

/** The request that connects a provider. */
export function describeNewProvider(id: string, shape: z.ZodRawShape, example: unknown): z.ZodType {
  return perType(
    id,
    example,
    (name) => `New${name}Provider`,
    (type) => ({
      ...shape,
      type: typeField(type),
      config: optionalIfEmpty(z.strictObject(type.config.shape)).describe('The settings of the provider.'),
      secrets: optionalIfEmpty(describeSecrets(type)).describe('The secrets of the provider. They are encrypted and never returned.'),
    }),
  );
}

/** The settings that a request changes: those of any one type, each of which may be null. */
export function describeSettingChanges(part: 'config' | 'secrets'): z.ZodType {
  const shapes = types.map((type) => type[part].shape).filter((shape) => Object.keys(shape).length > 0);
  const variants = shapes.map((shape) =>
    z.strictObject(Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, toChange(field)]))),
  );
  // Types with the same settings are one variant.
  const distinct = new Map(
    variants.map((variant) => [JSON.stringify(z.toJSONSchema(variant, { io: 'input', unrepresentable: 'any' })), variant]),
  );
  return z.union([...distinct.values()]);
}

/** A secret that Tributary generates can be omitted. */
function describeSecrets({ secrets, generatedSecret }: ProviderType): z.ZodObject {
  const fields = Object.entries(secrets.shape);
  return z.strictObject(Object.fromEntries(fields.map(([name, field]) => [name, name === generatedSecret ? field.optional() : field])));
}

function optionalIfEmpty(settings: z.ZodObject): z.ZodType {
  return settings.safeParse({}).success ? settings.default({}) : settings;
}

function toChange(field: z.ZodType): z.ZodType {
  const change = z.nullable(field).optional();
  return field.description === undefined ? change : change.describe(field.description);
}

function enumerate(names: readonly string[]) {
  return names.length === 0 ? { type: 'string' } : { type: 'string', enum: names };
}
