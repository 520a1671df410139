// The values of a connection's form, and the requests that they become. Pure.
import type { Connectable, Provider, Setting, SettingName } from './catalogue.ts';

export type Mode = Provider['mode'];
export type SettingValues = Record<SettingName, string> & { name: string; mode: Mode; currencies: readonly string[] };

type Details = readonly { path: readonly (string | number)[] | string; message: string }[];

/** The settings that a form asks for. */
export function settingsAt({ settings }: Connectable, at: Setting['at']): readonly Setting[] {
  return settings.filter((setting) => setting.at === at);
}

/** An empty form, or the present values of a provider. Secrets are never read back. */
export function toValues(connectable: Connectable, provider: Provider | null, mode: Mode, name: string): SettingValues {
  const config: Record<string, unknown> = provider?.config ?? {};
  const initial = (setting: SettingName) => {
    const value = config[setting];
    if (typeof value === 'string') return value;
    return provider === null && connectable.addresses?.name === setting ? connectable.addresses[mode] : '';
  };
  const entries = connectable.settings.map((setting) => [setting.name, setting.part === 'config' ? initial(setting.name) : '']);
  return Object.assign(Object.fromEntries(entries), {
    name: provider?.name ?? name,
    mode: provider?.mode ?? mode,
    currencies: provider?.currencies ?? [],
  });
}

/** The values after the mode has changed: an address that was not edited follows it. */
export function withMode({ addresses }: Connectable, values: SettingValues, mode: Mode): Partial<SettingValues> {
  if (addresses === undefined) return { mode };
  const isStandard = values[addresses.name] === addresses.live || values[addresses.name] === addresses.test;
  return isStandard ? { mode, [addresses.name]: addresses[mode] } : { mode };
}

/** The settings that were filled in, for a new provider. */
export function toNewSettings(settings: readonly Setting[], values: SettingValues): Record<Setting['part'], Record<string, string>> {
  const filled = settings.filter(({ name }) => values[name].trim() !== '');
  const read = (name: SettingName) => values[name].trim();
  return { config: pick(filled, 'config', read), secrets: pick(filled, 'secrets', read) };
}

/** The settings that differ from the provider's: an emptied one is removed, an empty secret keeps its value. */
export function toChangedSettings(
  settings: readonly Setting[],
  values: SettingValues,
  saved: SettingValues,
): Record<Setting['part'], Record<string, string | null>> {
  const changed = settings.filter(({ name }) => values[name].trim() !== saved[name].trim());
  const read = (name: SettingName) => values[name].trim() || null;
  return { config: pick(changed, 'config', read), secrets: pick(changed, 'secrets', read) };
}

/** The values after they were stored: secrets are no longer kept in the form. */
export function withoutSecrets({ settings }: Connectable, values: SettingValues): SettingValues {
  const secrets = settings.filter(({ part }) => part === 'secrets').map(({ name }) => [name, '']);
  return Object.assign({}, values, Object.fromEntries(secrets));
}

/** The values of one part, by name. */
function pick<Value>(settings: readonly Setting[], part: Setting['part'], read: (name: SettingName) => Value): Record<string, Value> {
  return Object.fromEntries(settings.filter((setting) => setting.part === part).map(({ name }) => [name, read(name)]));
}

/** The server names settings below `config` and `secrets`; the form has them side by side. */
export function toFormDetails(details: Details): { path: string[]; message: string }[] {
  return details.map(({ path, message }) => {
    const parts = typeof path === 'string' ? path.split('.') : path.map(String);
    return { path: parts.filter((part) => !['body', 'config', 'secrets'].includes(part)), message };
  });
}
