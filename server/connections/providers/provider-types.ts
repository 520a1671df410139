// Every type of external system: payout providers (rails/) and stores (stores/). A type defines its settings, which of them
// are secret, and its capabilities.
import { z } from 'zod';
import { railTypes } from '../rails/index.ts';
import type { RailType } from '../rails/rail.ts';
import { storeTypes } from '../stores/index.ts';
import type { StoreType } from '../stores/store.ts';

export type ProviderType = ({ kind: 'payout' } & RailType) | ({ kind: 'commerce' } & StoreType);

/** Every type, payout providers first. */
export const types: readonly ProviderType[] = [
  ...railTypes.map((type): ProviderType => ({ ...type, kind: 'payout' })),
  ...storeTypes.map((type): ProviderType => ({ ...type, kind: 'commerce' })),
];
const byName = new Map(types.map((type) => [type.type, type]));

export const ProviderKind = z.enum(['payout', 'commerce']).meta({ id: 'ProviderKind' });
export const ProviderTypeName = z.enum(types.map(({ type }) => type)).meta({ id: 'ProviderType' });

/** The type with this name. Throws for a name that is not in the registry. */
export function getProviderType(name: string): ProviderType {
  const found = byName.get(name);
  if (!found) throw new Error(`Unknown provider type: ${name}.`);
  return found;
}

/** The names of all types of a kind, for descriptions. */
export function listTypeNames(kind: ProviderType['kind']): string {
  return types.flatMap((type) => (type.kind === kind ? [`\`${type.type}\``] : [])).join(', ');
}
