// One coupon: its terms, how it was used, what suggests a leak, and the actions that help.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction, useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Loaded } from '../../states/loaded.tsx';
import { showProblem } from '../../states/show-problem.ts';
import { Button } from '../../ui/controls/button.tsx';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { Money } from '../../ui/figures/money.tsx';
import { Facts } from '../../ui/layout/card.tsx';
import { Link } from '../../ui/layout/link.tsx';
import { Row, Stack } from '../../ui/layout/stack.tsx';
import { CopyButton } from '../../ui/marks/copy-button.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { affected, type Coupon } from './coupon-values.ts';
import { EditSheet } from './EditSheet.tsx';
import { Usage } from './Usage.tsx';
import { CouponState, Used, useDiscount } from './use-columns.tsx';

export function CouponSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation('coupons');
  const { id: programId } = useProgram();
  const [edited, setEdited] = useState<Coupon | null>(null);
  const read = useRead('coupons.get', { path: { programId, id }, query: { expand: 'affiliate,products' } });
  if (edited) return <EditSheet coupon={edited} onClose={() => setEdited(null)} />;
  return (
    <Sheet isOpen onClose={onClose} title={read.data?.code ?? t('whatOne')} width="wide">
      <Loaded read={read} what={t('whatOne')} skeleton={<SkeletonText lines={8} />}>
        {(coupon) => (
          <Stack gap={24}>
            <Actions coupon={coupon} onEdit={() => setEdited(coupon)} />
            <Terms coupon={coupon} />
            <Usage coupon={coupon} />
          </Stack>
        )}
      </Loaded>
    </Sheet>
  );
}

function Actions({ coupon: { id, code, status, creditPolicy, leakSuspectedAt }, onEdit }: { coupon: Coupon; onEdit: () => void }) {
  const { t } = useTranslation('coupons');
  const { id: programId, can } = useProgram();
  const update = useAction('coupons.update', { invalidates: affected });
  const change = (body: { status?: 'active' | 'archived'; creditPolicy?: 'only_without_click' }, done: string) =>
    update.mutate({ path: { programId, id }, body }, { onSuccess: () => showToast(done), onError: showProblem });
  if (!can('terms.write')) return null;
  return (
    <Row>
      <Button icon="edit" onClick={onEdit}>
        {t('edit')}
      </Button>
      {leakSuspectedAt !== null && creditPolicy !== 'only_without_click' ? (
        <Button icon="fraud" isBusy={update.isPending} onClick={() => change({ creditPolicy: 'only_without_click' }, t('leak.preferred'))}>
          {t('leak.prefer')}
        </Button>
      ) : null}
      {status === 'archived' ? (
        <Button icon="check" isBusy={update.isPending} onClick={() => change({ status: 'active' }, t('changed.active', { code }))}>
          {t('restore')}
        </Button>
      ) : (
        <Button icon="archive" isBusy={update.isPending} onClick={() => change({ status: 'archived' }, t('changed.archived', { code }))}>
          {t('disable')}
        </Button>
      )}
    </Row>
  );
}

function Terms({ coupon }: { coupon: Coupon }) {
  const { t } = useTranslation('coupons');
  const { href } = useProgram();
  const discountOf = useDiscount();
  const { code, affiliate, affiliateId, currency, startsAt, endsAt, minOrderCents, creditPolicy, products = [] } = coupon;
  const commission = discountOf({
    discountType: coupon.commissionType,
    discountRate: coupon.commissionRate,
    discountCents: coupon.commissionCents,
    currency,
  });
  const rows = [
    { label: t('column.status'), value: <CouponState coupon={coupon} /> },
    { label: t('column.code'), value: <CopyButton value={code} isMono /> },
    {
      label: t('column.affiliate'),
      value: (
        <Link href={href(`affiliates/${affiliateId}`)}>
          <bdi>{affiliate?.name ?? '–'}</bdi>
        </Link>
      ),
    },
    { label: t('column.discount'), value: discountOf(coupon) },
    { label: t('column.used'), value: <Used coupon={coupon} /> },
    { label: t('field.startsOn'), value: startsAt === null ? '–' : <DateTime value={startsAt} as="date" /> },
    { label: t('column.ends'), value: endsAt === null ? '–' : <DateTime value={endsAt} as="exact" /> },
    { label: t('field.minOrder'), value: minOrderCents === null ? '–' : <Money cents={minOrderCents} currency={currency} /> },
    { label: t('field.commission'), value: coupon.commissionType === null ? t('commission.none') : commission },
    { label: t('field.products'), value: products.length === 0 ? t('allProducts') : products.map(({ name }) => name).join(', ') },
    { label: t('field.creditPolicy'), value: t(`policyHelp.${creditPolicy}`) },
  ];
  return <Facts rows={rows} />;
}
