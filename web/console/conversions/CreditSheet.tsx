// Credits an unattributed order to an affiliate. The server rehearses the claim, so that the commission is known before.
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call, type Result } from '../../api/call.ts';
import type { RequestError } from '../../api/errors.ts';
import { useAction } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Button } from '../../ui/controls/button.tsx';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { Money } from '../../ui/figures/money.tsx';
import { TextArea } from '../../ui/form/fields.tsx';
import { Form, useForm } from '../../ui/form/form.tsx';
import { Stack } from '../../ui/layout/stack.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { showToast } from '../../ui/overlay/toast-store.ts';
import { Notice } from '../../ui/states/problem.tsx';
import { AffiliatePicker, type PickedAffiliate } from './AffiliatePicker.tsx';
import styles from './conversions.module.css';
import { signalReason, signalTitle } from './order/say.ts';
import { useSay } from './order/use-say.ts';

export type UnattributedOrder = Result<'unattributedOrders.list'>['unattributedOrders'][number];

type Credited = Result<'unattributedOrders.credit'>;
type Props = { order: UnattributedOrder; canCredit: boolean; onClose: () => void };

export function CreditSheet({ order, canCredit, onClose }: Props) {
  const { t } = useTranslation('conversions');
  const { id: programId } = useProgram();
  const say = useSay(order.currency);
  const form = useForm<{ affiliateId: PickedAffiliate | null; note: string }>({ affiliateId: null, note: '' });
  const { affiliateId: affiliate, note } = form.values;
  const path = { programId, id: order.id };
  const preview = usePreview(path, affiliate);
  const credit = useAction('unattributedOrders.credit', {
    invalidates: ['unattributedOrders.list', 'orderTable.list', 'conversions.totals'],
  });
  const submit = () => {
    if (!affiliate) return;
    credit.mutate(
      { path, body: { affiliateId: affiliate.id, note: note.trim() === '' ? null : note } },
      {
        onSuccess: () => {
          showToast(t('creditSheet.done', { orderId: order.orderId, name: affiliate.name }), { tone: 'success' });
          onClose();
        },
        onError: (error) => form.setProblem({ message: error.message, details: error.details }),
      },
    );
  };
  const cents = preview.data ? creditedCents(preview.data) : undefined;
  const action =
    affiliate && cents !== undefined
      ? t('creditSheet.submitAmount', { amount: say.money(cents), name: affiliate.name })
      : t('creditSheet.submit');
  const footer = (
    <Button kind="primary" type="submit" form="credit" isBusy={credit.isPending} disabled={cents === undefined}>
      {action}
    </Button>
  );
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t('creditSheet.title', { orderId: order.orderId })}
      detail={
        <>
          <Money cents={order.amountCents} currency={order.currency} /> · <DateTime value={order.occurredAt} as="exact" />
        </>
      }
      hasChanges={form.hasChanges}
      footer={canCredit ? footer : undefined}
    >
      <Stack gap={20}>
        <Signals order={order} />
        {canCredit ? (
          <Form form={form} id="credit" onSubmit={submit}>
            <AffiliatePicker label={t('creditSheet.affiliate')} {...form.field('affiliateId')} />
            <TextArea label={t('creditSheet.note')} help={t('creditSheet.noteHelp')} {...form.field('note')} maxLength={2000} rows={2} />
            <Effect preview={preview} affiliate={affiliate} currency={order.currency} />
          </Form>
        ) : null}
      </Stack>
    </Sheet>
  );
}

/** The signals of the order, and why none of them credited an affiliate. */
function Signals({ order }: { order: UnattributedOrder }) {
  const { t } = useTranslation('conversions');
  const say = useSay(order.currency);
  return (
    <div className={styles.preview}>
      <strong>{t('creditSheet.signals')}</strong>
      {order.signals.length === 0 ? <span>{t('creditSheet.noSignals')}</span> : null}
      <ul className={styles.signals}>
        {order.signals.map((signal) => (
          <li key={`${signal.signal} ${signal.value}`}>
            <span>{signalTitle(signal, say)}</span>
            <span>{signalReason(signal, say)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

type EffectProps = { preview: ReturnType<typeof usePreview>; affiliate: PickedAffiliate | null; currency: string };

function Effect({ preview: { data, error }, affiliate, currency }: EffectProps) {
  const { t } = useTranslation('conversions');
  const say = useSay(currency);
  if (error) return <Notice icon="warning" tone="held" title={error.message} />;
  if (!data || !affiliate) return null;
  return (
    <div className={styles.preview} aria-live="polite">
      <strong>{t('creditSheet.effect', { name: affiliate.name, amount: say.money(creditedCents(data)) })}</strong>
      {data.conversion.status === 'held' ? <span>{t('creditSheet.held')}</span> : null}
    </div>
  );
}

/** What the affiliate earns, without the upline. */
function creditedCents({ conversion }: Credited): number {
  return conversion.commissions.filter(({ level }) => level === 1).reduce((sum, { amountCents }) => sum + amountCents, 0);
}

function usePreview(path: { programId: string; id: string }, affiliate: PickedAffiliate | null) {
  return useQuery<Credited, RequestError>({
    queryKey: ['credit-preview', path.id, affiliate?.id],
    queryFn: ({ signal }) =>
      call('unattributedOrders.credit', { path, body: { affiliateId: affiliate?.id ?? '', dryRun: true } }, { signal }),
    enabled: affiliate !== null,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
}
