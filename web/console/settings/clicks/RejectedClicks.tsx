// How many clicks were not recorded lately, by their reason.
import { useTranslation } from 'react-i18next';
import { type Read, useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { BarList } from '../../../ui/charts/bar-list.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { addDays, dayOf } from '../../../ui/figures/days.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { Text } from '../../../ui/layout/stack.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';

type Counts = NonNullable<Read<'rejectedClicks.list'>['data']>['rejectedClicks'];

/** So many days that their reasons are within one page. */
const days = 14;
const limit = 200;
const reasons = [
  'rate_limited',
  'bot',
  'prefetch',
  'embedded',
  'duplicate',
  'blocked_ip',
  'blocked_referrer',
  'blocked_country',
  'affiliate_not_active',
  'unavailable',
] as const;

export function RejectedClicks() {
  const { t } = useTranslation('settings');
  const { id: programId, timezone } = useProgram();
  const { now } = useFigures();
  const query = { clickedFrom: addDays(dayOf(now, timezone), 1 - days), limit };
  const read = useRead('rejectedClicks.list', { path: { programId }, query });
  return (
    <Card title={t('clicks.rejected.title')} detail={t('clicks.rejected.detail', { count: days })}>
      <Loaded read={read} what={t('clicks.rejected.what')} skeleton={<SkeletonText lines={2} />}>
        {({ rejectedClicks }) => <Reasons counts={rejectedClicks} />}
      </Loaded>
    </Card>
  );
}

function Reasons({ counts }: { counts: Counts }) {
  const { t } = useTranslation('settings');
  if (counts.length === 0) return <Text>{t('clicks.rejected.none')}</Text>;
  const rows = [...new Set(counts.map(({ reason }) => reason))].map((id) => {
    const known = reasons.find((reason) => reason === id);
    const value = counts.filter(({ reason }) => reason === id).reduce((sum, { clicks }) => sum + clicks, 0);
    return { id, name: known === undefined ? id : t(`clicks.rejected.reason.${known}`), value };
  });
  return <BarList rows={rows.sort((a, b) => b.value - a.value)} format={{ kind: 'count' }} />;
}
