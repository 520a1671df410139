// The form of an affiliate and the request it becomes: only what changed is sent. Pure.
import type { Input } from '../../../api/call.ts';
import type { Details } from './details.ts';

export type EditValues = {
  firstName: string;
  lastName: string;
  email: string;
  vanitySlug: string;
  externalId: string;
  /** Separated by commas. */
  tags: string;
  groupId: string | null;
  parentAffiliateId: string | null;
  override: 'none' | 'percentage' | 'flat';
  overridePercent: number | null;
  overrideCents: number | null;
};

type Update = NonNullable<Input<'affiliates.update'>['body']>;

type Source = Pick<
  Details,
  | 'firstName'
  | 'lastName'
  | 'email'
  | 'vanitySlug'
  | 'externalId'
  | 'tags'
  | 'groupId'
  | 'parentAffiliateId'
  | 'commissionOverrideType'
  | 'commissionOverrideRate'
>;

/** What the form starts with. */
export function toValues(affiliate: Source): EditValues {
  const { commissionOverrideType: type, commissionOverrideRate: rate } = affiliate;
  return {
    firstName: affiliate.firstName,
    lastName: affiliate.lastName,
    email: affiliate.email,
    vanitySlug: affiliate.vanitySlug ?? '',
    externalId: affiliate.externalId ?? '',
    tags: affiliate.tags.join(', '),
    groupId: affiliate.groupId,
    parentAffiliateId: affiliate.parentAffiliateId,
    override: type ?? 'none',
    overridePercent: type === 'percentage' ? rate : null,
    overrideCents: type === 'flat' ? rate : null,
  };
}

/** The fields that changed. An override is sent with its unit: percent, or cents per order. */
export function toUpdate(saved: EditValues, values: EditValues): Update {
  const changed = (name: keyof EditValues) => saved[name] !== values[name];
  const update: Update = {};
  for (const name of ['firstName', 'lastName', 'email'] as const) if (changed(name)) update[name] = values[name];
  for (const name of ['vanitySlug', 'externalId'] as const) if (changed(name)) update[name] = values[name].trim() || null;
  for (const name of ['groupId', 'parentAffiliateId'] as const) if (changed(name)) update[name] = values[name];
  if (changed('tags')) update.tags = toTags(values.tags);
  if (changed('override') || changed('overridePercent') || changed('overrideCents')) {
    update.commissionOverrideType = values.override === 'none' ? null : values.override;
    if (values.override === 'percentage') update.commissionOverrideRate = values.overridePercent;
    if (values.override === 'flat') update.commissionOverrideRate = values.overrideCents;
  }
  return update;
}

/** Tags between commas, each once. */
export function toTags(text: string): string[] {
  const tags = text.split(',').flatMap((tag) => tag.trim() || []);
  return [...new Set(tags)];
}
