// The settings of a provider: `config` is returned by the API; secrets are encrypted on arrival and decrypted only to
// connect. A response lists which secrets are set, never their values.
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { toDetails } from '../../platform/http/validate.ts';
import { type Detail, Invalid } from '../../platform/lib/errors.ts';
import { getProviderType, type ProviderType } from './provider-types.ts';

export type Config = Record<string, unknown>;
export type Secrets = Record<string, string>;
type Settings = { config: Config; secrets: Secrets };
type SettingChanges = { config?: Record<string, unknown> | undefined; secrets?: Record<string, string | null> | undefined };

/** Parses settings with the schemas of their type. Throws Invalid (400) with every fault, below `config` and `secrets`. */
export function parseSettings(typeName: string, { config, secrets }: { config: Config; secrets: Record<string, unknown> }): Settings {
  const type = getProviderType(typeName);
  const parsed = { config: type.config.safeParse(config, { reportInput: true }), secrets: type.secrets.safeParse(secrets) };
  const faults = Object.entries(parsed).flatMap(([name, { error }]) =>
    (error?.issues ?? []).flatMap(toDetails).map(({ path, message }): Detail => ({ path: [name, ...path], message })),
  );
  if (!parsed.config.success || !parsed.secrets.success) throw new Invalid(faults);
  return { config: withoutUndefined(parsed.config.data), secrets: parsed.secrets.data };
}

/** Throws Invalid (400) for names that the type does not have: a misspelt setting must not be ignored. */
export function requireKnownNames(typeName: string, { config = {}, secrets = {} }: SettingChanges): void {
  const type = getProviderType(typeName);
  const faults = [
    ...Object.keys(config).flatMap((name) => checkName(type, 'config', name)),
    ...Object.keys(secrets).flatMap((name) => checkName(type, 'secrets', name)),
  ];
  if (faults.length > 0) throw new Invalid(faults);
}

function checkName(type: ProviderType, part: 'config' | 'secrets', name: string): Detail[] {
  const known = Object.keys(type[part].shape);
  if (known.includes(name)) return [];
  const [one, many] = part === 'config' ? ['setting', 'settings'] : ['secret', 'secrets'];
  const suggestion = known.length > 0 ? `; the ${many} are: ${known.join(', ')}` : ', which has none';
  return [{ path: [part, name], message: `is not a ${one} of this provider type${suggestion}` }];
}

/** The settings after a change of single entries; null removes one. */
export function mergeSettings<Value>(current: Record<string, Value>, given: Record<string, Value | null> = {}): Record<string, Value> {
  const entries = Object.entries({ ...current, ...given });
  return Object.fromEntries(entries.filter((entry): entry is [string, Value] => entry[1] !== null));
}

/** The secret of this type that Tributary generates when the request has none. */
export function generateMissingSecret(typeName: string, given: Record<string, unknown>): Secrets {
  const name = getProviderType(typeName).generatedSecret;
  return name === undefined || name in given ? {} : { [name]: `whsec_${randomBytes(24).toString('base64')}` };
}

/** Secrets that create or verify signatures and are never sent. */
const signingSecrets = new Set(['signingSecret', 'webhookSecret']);

/**
 * Throws Invalid (400) when a new address would receive secrets that were entered for the old one: a person who can
 * change settings could read them there. `given` are the secrets of the request; null removes one.
 */
export function requireSecretsForNewAddress(before: Settings, config: Config, given: Record<string, unknown> = {}): void {
  const names = Object.keys(before.secrets).sort();
  if (names.every((name) => signingSecrets.has(name)) || listAddresses(before.config) === listAddresses(config)) return;
  const missing = names.filter((name) => given[name] === undefined);
  if (missing.length === 0) return;
  throw new Invalid(missing.map((name) => ({ path: ['secrets', name], message: 'must be sent again, because the address changes' })));
}

/** The origins of all URLs and the host names in a configuration, as one comparable text. */
function listAddresses(config: Config): string {
  const addresses = Object.entries(config).flatMap(([name, value]) => {
    if (typeof value !== 'string') return [];
    if (/^https?:/i.test(value)) return [`${name} ${URL.parse(value)?.origin ?? value}`];
    return ['shop', 'host'].includes(name) ? [`${name} ${value.toLowerCase()}`] : [];
  });
  return addresses.sort().join('\n');
}

/** Null for no secrets, so that the column shows whether there are any. */
export function encryptSecrets({ vault }: Pick<Context, 'vault'>, id: string, secrets: Secrets): Buffer | null {
  return Object.keys(secrets).length === 0 ? null : vault.encrypt(JSON.stringify(secrets), `providers:${id}`);
}

const StoredSecrets = z.record(z.string(), z.string());

/** The secrets of a provider, to connect with it. They must not be logged or returned. */
export function decryptSecrets({ vault }: Pick<Context, 'vault'>, { id, secrets }: { id: string; secrets: Buffer | null }): Secrets {
  return secrets === null ? {} : StoredSecrets.parse(JSON.parse(vault.decrypt(secrets, `providers:${id}`)));
}

/** The stored configuration, parsed with the schema of its type. */
export function readConfig({ type, config }: { type: string; config: unknown }): Config {
  return withoutUndefined(getProviderType(type).config.parse(config));
}

function withoutUndefined<Value>(record: Record<string, Value | undefined>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter((entry): entry is [string, Value] => entry[1] !== undefined));
}
