// The columns of the table of coupons.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useFigures } from '../../ui/figures/context.ts';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { formatCount, formatMoney, formatPercent } from '../../ui/figures/format.ts';
import { Status } from '../../ui/marks/status.tsx';
import { PhoneRow } from '../../ui/table/phone-rows.tsx';
import type { Column } from '../../ui/table/table-types.ts';
import type { Coupon } from './coupon-values.ts';

type Row = Result<'coupons.list'>['coupons'][number];

export function useColumns(): Column<Row>[] {
  const { t } = useTranslation('coupons');
  const discountOf = useDiscount();
  return [
    { id: 'code', header: t('column.code'), width: 150, sort: 'code', cell: ({ code }) => code },
    {
      id: 'affiliate',
      header: t('column.affiliate'),
      width: 190,
      narrow: { rank: 4, below: 'code', width: 190 },
      cell: ({ affiliate }) => <bdi>{affiliate?.name ?? '–'}</bdi>,
    },
    { id: 'discount', header: t('column.discount'), width: 120, cell: discountOf },
    {
      id: 'used',
      header: t('column.used'),
      width: 110,
      narrow: { rank: 3 },
      align: 'end',
      sort: 'redemptions',
      sortFirst: 'descending',
      cell: (row) => <Used coupon={row} />,
    },
    {
      id: 'policy',
      header: t('field.creditPolicy'),
      width: 220,
      narrow: { rank: 1 },
      cell: ({ creditPolicy }) => t(`policy.${creditPolicy}`),
    },
    {
      id: 'ends',
      header: t('column.ends'),
      width: 120,
      narrow: { rank: 2 },
      cell: ({ endsAt }) => (endsAt === null ? '–' : <DateTime value={endsAt} as="date" />),
    },
    { id: 'status', header: t('column.status'), width: 150, cell: (row) => <CouponState coupon={row} /> },
  ];
}

/** "20%", "$5.00", or a dash without a discount. */
export function useDiscount(): (coupon: Pick<Coupon, 'discountType' | 'discountRate' | 'discountCents' | 'currency'>) => string {
  const { language } = useFigures();
  return ({ discountType, discountRate, discountCents, currency }) => {
    if (discountType === 'percentage' && discountRate !== null) return formatPercent(discountRate, language);
    return discountType === 'flat' && discountCents !== null ? formatMoney(discountCents, currency, language) : '–';
  };
}

/** "17 / 100", or only how often it was used. */
export function Used({ coupon: { redemptions, maxRedemptions } }: { coupon: Pick<Coupon, 'redemptions' | 'maxRedemptions'> }) {
  const { language } = useFigures();
  const used = formatCount(redemptions, language);
  return <>{maxRedemptions === null ? used : `${used} / ${formatCount(maxRedemptions, language)}`}</>;
}

const marks = { active: ['approved', 'check'], expired: ['neutral', 'clock'], archived: ['neutral', 'archive'] } as const;

export function CouponState({ coupon: { status, leakSuspectedAt } }: { coupon: Pick<Coupon, 'status' | 'leakSuspectedAt'> }) {
  const { t } = useTranslation('coupons');
  const isLeak = status === 'active' && leakSuspectedAt !== null;
  const [tone, icon] = isLeak ? (['held', 'warning'] as const) : marks[status];
  return (
    <Status tone={tone} icon={icon}>
      {t(isLeak ? 'leak.mark' : `tabs.${status}`)}
    </Status>
  );
}

export function CouponPhoneRow({ row }: { row: Row }) {
  const { t } = useTranslation('coupons');
  const { language } = useFigures();
  const discountOf = useDiscount();
  const discount = discountOf(row);
  return (
    <PhoneRow
      title={row.code}
      state={<CouponState coupon={row} />}
      detail={[row.affiliate?.name, discount === '–' ? null : discount].filter(Boolean).join(' · ')}
      amount={
        row.maxRedemptions === null
          ? t('uses', { count: row.redemptions })
          : t('usesOfLimit', { used: formatCount(row.redemptions, language), count: row.maxRedemptions })
      }
    />
  );
}
