// The audit log as sentences: "Dana Calder changed the affiliate", "Group: Creators → Clinicians".
import { useTranslation } from 'react-i18next';
import type { Read } from '../../../../api/queries.ts';
import { useFigures } from '../../../../ui/figures/context.ts';
import { formatDateTime } from '../../../../ui/figures/dates.ts';
import { formatCount } from '../../../../ui/figures/format.ts';
import { useRateText } from '../../../../ui/figures/rate.tsx';

export type Activity = NonNullable<Read<'affiliateTable.activity'>['data']>['activity'][number];

const actions = [
  'created',
  'invited',
  'applied',
  'updated',
  'imported',
  'note_added',
  'note_changed',
  'note_deleted',
  'invitation_resent',
  'data_downloaded',
  'view_started',
  'view_ended',
] as const;

const fields = [
  'status',
  'groupId',
  'parentAffiliateId',
  'commissionOverrideType',
  'commissionOverrideRate',
  'vanitySlug',
  'firstName',
  'lastName',
  'email',
  'externalId',
  'tags',
  'note',
] as const;

type Change = Activity['changes'][number];

/** How an entry of the history is written. */
export function useActivityText(currency: string) {
  const { t } = useTranslation('affiliate');
  const figures = useFigures();
  const rateText = useRateText();
  const valueText = (value: unknown): string => {
    if (value === null || value === undefined || value === '') return t('activity.nothing');
    if (Array.isArray(value)) return value.length === 0 ? t('activity.nothing') : value.join(', ');
    if (typeof value === 'object') return 'name' in value && typeof value.name === 'string' ? value.name : t('activity.nothing');
    if (typeof value === 'number') return formatCount(value, figures.language);
    if (typeof value === 'boolean') return t(value ? 'activity.yes' : 'activity.no');
    return /^\d{4}-\d\d-\d\dT/.test(String(value)) ? formatDateTime(String(value), figures) : String(value);
  };
  const changeText = (event: Activity, { field, before, after }: Change): string | null => {
    const known = fields.find((each) => each === field);
    // The override's type is written with its rate.
    if (!known || (known === 'commissionOverrideType' && event.changes.some((each) => each.field === 'commissionOverrideRate')))
      return null;
    const write = known === 'status' ? statusText : known === 'commissionOverrideRate' ? overrideText(event) : valueText;
    return t('activity.change', { field: t(`field.${known}`), before: write(before, 'before'), after: write(after, 'after') });
  };
  const statusText = (value: unknown): string => {
    const known = (['pending', 'active', 'suspended', 'rejected', 'archived'] as const).find((each) => each === value);
    return known ? t(`status.${known}`) : valueText(value);
  };
  const overrideText = (event: Activity) => (value: unknown, side: 'before' | 'after') => {
    const type = event.changes.find(({ field }) => field === 'commissionOverrideType')?.[side] ?? 'percentage';
    if (typeof value !== 'number') return t('activity.nothing');
    return rateText(type === 'flat' ? { type: 'flat', amountCents: value, currency, per: 'order' } : { type: 'percentage', rate: value });
  };
  return {
    actor: ({ actor }: Activity) => actor.name ?? t(`actor.${actor.kind}`),
    action: ({ action }: Activity) => {
      const [noun = '', verb = ''] = action.split('.');
      const known = noun === 'affiliate' ? actions.find((each) => each === verb) : undefined;
      if (known) return t(`activity.action.${known}`);
      return noun.includes('page') ? t('activity.page') : t('activity.other', { action: action.replaceAll(/[._]/g, ' ') });
    },
    changes: (event: Activity) => event.changes.flatMap((change) => changeText(event, change) ?? []),
  };
}
