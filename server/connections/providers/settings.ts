// The settings of a provider: what may be shown, and secrets, which are sealed as soon as they arrive and are
// opened only to connect. An answer names the secrets that are set, never what they are.
import { randomBytes } from 'node:crypto';
import type { Context } from '../../context.ts';
import { toDetails } from '../../platform/http/validate.ts';
import { type Detail, Invalid } from '../../platform/lib/errors.ts';
import { generatedSecret, partsOf, type TypeName, typeOf } from './type.ts';

export type Config = Record<string, unknown>;
export type Secrets = Record<string, string>;
type Given = { config: Config; secrets: Record<string, unknown> };

/** Settings as their type reads them. Throws Invalid (400) with every fault, below `config` and `secrets`. */
export function readSettings(typeName: string, { config, secrets }: Given): { config: Config; secrets: Secrets } {
  const parts = partsOf(typeOf(typeName));
  const read = { config: parts.config.safeParse(config), secrets: parts.secrets.safeParse(secrets) };
  const faults = Object.entries(read).flatMap(([name, { error }]) =>
    (error?.issues ?? []).flatMap(toDetails).map(({ path, message }): Detail => ({ path: [name, ...path], message })),
  );
  if (!read.config.success || !read.secrets.success) throw new Invalid(faults);
  return { config: withoutUndefined(read.config.data), secrets: withoutUndefined(read.secrets.data) };
}

/** `given` over what is there, entry by entry; null removes one. */
export function merged<Value>(present: Record<string, Value>, given: Record<string, Value | null> | undefined): Record<string, Value> {
  const entries = Object.entries({ ...present, ...given });
  return Object.fromEntries(entries.filter((entry): entry is [string, Value] => entry[1] !== null));
}

/** The secret that this type needs and nobody gave, made now; none where it isn't ours to make. */
export function missingSecret(typeName: TypeName, given: Record<string, unknown>): Secrets {
  const name = generatedSecret[typeName];
  return name === undefined || name in given ? {} : { [name]: `whsec_${randomBytes(24).toString('base64')}` };
}

/** Secrets that sign or check what is signed, and are never sent themselves. */
const onlySigning = new Set(['signingSecret', 'webhookSecret']);

/**
 * Throws Invalid (400) when another address would get secrets that were given for the old one: whoever may change
 * settings could read them there. `given` are those of the request; one that is removed goes nowhere.
 */
export function checkAddress(before: { config: Config; secrets: Secrets }, config: Config, given: Record<string, unknown> = {}): void {
  const names = Object.keys(before.secrets).sort();
  if (names.every((name) => onlySigning.has(name)) || addressesIn(before.config) === addressesIn(config)) return;
  const missing = names.filter((name) => given[name] === undefined);
  if (missing.length === 0) return;
  throw new Invalid(missing.map((name) => ({ path: ['secrets', name], message: 'must be sent again: the address changes' })));
}

/** Every place that these settings name: what of them is an address, by its origin, or the name of a host. */
function addressesIn(config: Config): string {
  const places = Object.entries(config).flatMap(([name, value]) => {
    if (typeof value !== 'string') return [];
    if (/^https?:/i.test(value)) return [`${name} ${URL.parse(value)?.origin ?? value}`];
    return ['shop', 'host'].includes(name) ? [`${name} ${value.toLowerCase()}`] : [];
  });
  return places.sort().join('\n');
}

/** Null for none, so that an empty vault shows. */
export function sealSecrets({ vault }: Pick<Context, 'vault'>, id: string, secrets: Secrets): Buffer | null {
  return Object.keys(secrets).length === 0 ? null : vault.seal(JSON.stringify(secrets), `providers:${id}`);
}

/** The secrets of a provider, to connect with it. They must not be logged or answered. */
export function openSecrets({ vault }: Pick<Context, 'vault'>, { id, secrets }: { id: string; secrets: Buffer | null }): Secrets {
  return secrets === null ? {} : (JSON.parse(vault.open(secrets, `providers:${id}`)) as Secrets);
}

function withoutUndefined<Value>(record: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}
