// The effect of a change before it is made: in total, and before and after for the first five.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useProgram } from '../../../session/program.ts';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatNear } from '../../../ui/figures/dates.ts';
import { formatCount } from '../../../ui/figures/format.ts';
import { useRateText } from '../../../ui/figures/rate.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import styles from '../affiliates.module.css';
import { useGroups } from '../use-groups.ts';

type Effect = Result<'affiliates.bulk'>;
type Fields = Record<string, unknown>;

const immediate = 200;

export function BulkPreview({ effect }: { effect: Effect }) {
  const { t } = useTranslation('affiliate-table');
  const { language } = useFigures();
  const count = (value: number) => ({ count: value, formatted: formatCount(value, language) });
  const unchanged = effect.matched - effect.changed;
  return (
    <Stack gap={12}>
      <p className={styles.effect} role="status">
        {t('bulk.effect', count(effect.changed))} {unchanged > 0 ? t('bulk.unchanged', count(unchanged)) : ''}{' '}
        {effect.emails > 0 ? t('bulk.emails', count(effect.emails)) : ''}
      </p>
      {effect.preview.length === 0 ? null : <PreviewTable rows={effect.preview} />}
      {effect.changed > effect.preview.length && effect.preview.length > 0 ? (
        <Text size="small">{t('bulk.others', count(effect.changed - effect.preview.length))}</Text>
      ) : null}
      {effect.changed > immediate ? <Text size="small">{t('bulk.inBackground')}</Text> : null}
    </Stack>
  );
}

function PreviewTable({ rows }: { rows: Effect['preview'] }) {
  const { t } = useTranslation('affiliate-table');
  const describe = useFieldText();
  return (
    <table className={styles.preview}>
      <thead>
        <tr>
          <th scope="col">{t('column.name')}</th>
          <th scope="col">{t('bulk.before')}</th>
          <th scope="col">{t('bulk.after')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, name, before, after }) => (
          <tr key={id}>
            <th scope="row">
              <bdi>{name}</bdi>
            </th>
            <td className={styles.before}>{describe(before)}</td>
            <td>{describe(after)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Describes the changed fields of one affiliate. */
function useFieldText(): (fields: Fields) => string {
  const { t } = useTranslation('affiliate-table');
  const groups = useGroups().data?.groups ?? [];
  const rateText = useRateText();
  const figures = useFigures();
  const { currency } = useProgram();
  return (fields) => {
    const { status, groupId, tags, commissionOverrideType: type, commissionOverrideRate: rate, invitedAt } = fields;
    if (typeof status === 'string') return t(`status.${status as 'active'}`);
    if (groupId !== undefined) return groups.find(({ id }) => id === groupId)?.name ?? t('bulk.noGroup');
    if (Array.isArray(tags)) return tags.length === 0 ? t('bulk.noTags') : tags.join(', ');
    if (type !== undefined) {
      if (type === null || typeof rate !== 'number') return t('bulk.noOverride');
      return rateText(type === 'percentage' ? { type, rate } : { type: 'flat', amountCents: rate, currency, per: 'order' });
    }
    return typeof invitedAt === 'string'
      ? t('bulk.invitedAt', { time: formatNear(invitedAt, figures.now, figures) })
      : t('bulk.notInvited');
  };
}
