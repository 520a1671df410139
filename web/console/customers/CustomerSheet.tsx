// One customer: the affiliate they are bound to and why, their orders and sign-ups, and every change of the binding.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Loaded } from '../../states/loaded.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Count } from '../../ui/figures/count.tsx';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { Money } from '../../ui/figures/money.tsx';
import { Facts } from '../../ui/layout/card.tsx';
import { Link } from '../../ui/layout/link.tsx';
import { Row, Stack } from '../../ui/layout/stack.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { BindingForm, type BindingMode, type CustomerDetail } from './BindingForm.tsx';
import styles from './customers.module.css';
import { Leads } from './Leads.tsx';
import { useCustomerName, useReason } from './use-columns.tsx';

type Props = { id: string; onClose: () => void; onPrevious: (() => void) | undefined; onNext: (() => void) | undefined };

export function CustomerSheet({ id, onClose, onPrevious, onNext }: Props) {
  const { t } = useTranslation('customers');
  const { id: programId } = useProgram();
  const nameOf = useCustomerName();
  const [mode, setMode] = useState<BindingMode | null>(null);
  const [hasChanges, setHasChanges] = useState(false);
  const read = useRead('customers.get', { path: { programId, id }, query: { expand: 'affiliate' } });
  const stop = () => {
    setMode(null);
    setHasChanges(false);
  };
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={read.data ? nameOf(read.data) : t('title')}
      hasChanges={hasChanges}
      onPrevious={onPrevious}
      onNext={onNext}
    >
      <Loaded read={read} what={t('whatOne')} skeleton={<SkeletonText lines={8} />}>
        {(customer) => (
          <Stack gap={24}>
            {mode ? (
              <BindingForm customer={customer} mode={mode} onChanged={setHasChanges} onDone={stop} />
            ) : (
              <PresentBinding customer={customer} onChange={setMode} />
            )}
            <Totals customer={customer} />
            <Leads customerId={customer.id} />
            <History customer={customer} />
          </Stack>
        )}
      </Loaded>
    </Sheet>
  );
}

function PresentBinding({ customer, onChange }: { customer: CustomerDetail; onChange: (mode: BindingMode) => void }) {
  const { t } = useTranslation('customers');
  const { href, can } = useProgram();
  const reasonOf = useReason();
  const { affiliate, boundAt } = customer;
  return (
    <section aria-label={t('bindingTitle')} className={styles.binding}>
      <div>
        <div className={styles.label}>{t('bindingTitle')}</div>
        <div className={styles.name}>
          {affiliate ? (
            <Link href={href(`affiliates/${affiliate.id}`)}>
              <bdi>{affiliate.name}</bdi>
            </Link>
          ) : (
            t('unbound')
          )}
        </div>
        <div className={styles.line}>
          {boundAt ? (
            <>
              {reasonOf(customer)} · <DateTime value={boundAt} as="date" />
            </>
          ) : (
            t('unboundText')
          )}
        </div>
      </div>
      {can('conversions.write') ? (
        <Row canWrap={false}>
          {affiliate ? <Button onClick={() => onChange('unbind')}>{t('unbind')}</Button> : null}
          <Button onClick={() => onChange('change')}>{affiliate ? t('change') : t('bind')}</Button>
        </Row>
      ) : null}
    </section>
  );
}

function Totals({ customer }: { customer: CustomerDetail }) {
  const { t } = useTranslation('customers');
  const { href } = useProgram();
  const { orders, salesCents, refundsCents, commissionCents, reversedCents, currency, externalIds } = customer;
  const rows = [
    { label: t('orders'), value: <Count value={orders} /> },
    { label: t('sales'), value: <Money cents={salesCents - refundsCents} currency={currency} /> },
    { label: t('commission'), value: <Money cents={commissionCents - reversedCents} currency={currency} /> },
  ];
  const [externalId] = externalIds;
  return (
    <Stack gap={12}>
      <Facts rows={rows} columns={3} />
      {orders > 0 && externalId !== undefined ? (
        <Row>
          <ButtonLink size="small" href={href(`conversions?search=${encodeURIComponent(externalId)}`)}>
            {t('showOrders')}
          </ButtonLink>
        </Row>
      ) : null}
    </Stack>
  );
}

function History({ customer }: { customer: CustomerDetail }) {
  const { t } = useTranslation('customers');
  const { href } = useProgram();
  return (
    <section aria-label={t('history')}>
      <h3 className={styles.title}>{t('history')}</h3>
      <ol className={styles.list}>
        {customer.bindings.map((change) => (
          <li key={`${change.createdAt} ${change.source} ${change.affiliateId}`}>
            <div>
              {t(`changed.${change.affiliateId === null && change.source === 'member' ? 'unbound' : change.source}`, {
                name: change.affiliate?.name ?? t('formerAffiliate'),
              })}
            </div>
            <div className={styles.line}>
              <DateTime value={change.createdAt} />
              {change.orderId === null ? null : (
                <>
                  {' · '}
                  <Link href={href(`conversions/${change.conversionId}`)}>{t('openOrder', { orderId: change.orderId })}</Link>
                </>
              )}
            </div>
            {change.note === null ? null : <blockquote className={styles.note}>{change.note}</blockquote>}
          </li>
        ))}
      </ol>
    </section>
  );
}
