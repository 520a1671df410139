// Where the affiliate is paid: the method, from when it is used, and a form to set it. Accounts are written, never shown.
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useAction, useRead } from '../../api/queries.ts';
import { Loaded } from '../../states/loaded.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { formatDate } from '../../ui/figures/dates.ts';
import { NativeSelect } from '../../ui/form/native-select.tsx';
import { Card, Facts } from '../../ui/layout/card.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { Stack, Text } from '../../ui/layout/stack.tsx';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { Notice } from '../../ui/states/problem.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { useAccount } from '../session/account.ts';

// Lists of countries are large, and most visits change nothing.
const EditSheet = lazy(async () => ({ default: (await import('./EditSheet.tsx')).EditSheet }));

type Details = Result<'portal.payoutDetails'>;

export function Screen() {
  const { t } = useTranslation('portal-payout-details');
  const { programId, programName } = useAccount();
  const read = useRead('portal.payoutDetails', { path: { programId } });
  return (
    <Page title={t('title')} lede={t('lede', { program: programName })} width="reading">
      <Loaded
        read={read}
        what={t('what')}
        skeleton={
          <Card>
            <SkeletonText lines={5} />
          </Card>
        }
      >
        {(details) => <Content details={details} />}
      </Loaded>
    </Page>
  );
}

function Content({ details }: { details: Details }) {
  const { t } = useTranslation('portal-payout-details');
  const [isEditing, setIsEditing] = useState(false);
  const edit = (
    <Button kind={details.method === null ? 'primary' : 'secondary'} onClick={() => setIsEditing(true)}>
      {t(details.method === null ? 'add' : 'change')}
    </Button>
  );
  return (
    <>
      {details.method === null ? (
        <Card>
          <EmptyState title={t('empty.title')} text={t('empty.text')} actions={edit} sample="links" />
        </Card>
      ) : (
        <Current details={details} actions={edit} />
      )}
      <Safety details={details} />
      {isEditing ? (
        <Suspense fallback={null}>
          <EditSheet details={details} onClose={() => setIsEditing(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

function Current({ details, actions }: { details: Details; actions: React.ReactNode }) {
  const { method, effectiveAt, updatedAt, waitHours, methods, payoutCurrency, payoutCurrencies } = details;
  const { t } = useTranslation('portal-payout-details');
  const { programName } = useAccount();
  const figures = useFigures();
  if (method === null || updatedAt === null) return null;
  const isWaiting = effectiveAt !== null && Date.parse(effectiveAt) > Date.now();
  return (
    <>
      {isWaiting ? (
        <Notice icon="clock" tone="held" title={t('waiting.title')}>
          {t('waiting.text', { hours: waitHours, date: formatDate(effectiveAt, figures, figures.now) })}
        </Notice>
      ) : null}
      {methods.includes(method) ? null : (
        <Notice icon="warning" tone="error" title={t('unsupported.title', { method: t(`method.${method}.name`) })}>
          {t('unsupported.text', { program: programName })}
        </Notice>
      )}
      <Card title={t('current.title')} actions={actions}>
        <Stack gap={16}>
          <Facts
            rows={[
              { label: t('current.method'), value: t(`method.${method}.name`) },
              { label: t('current.updated'), value: <DateTime value={updatedAt} as="date" /> },
              isWaiting
                ? { label: t('current.effective'), value: <DateTime value={effectiveAt} as="date" /> }
                : { label: t('current.status'), value: t('current.inUse') },
            ]}
          />
          {payoutCurrencies.length === 0 && payoutCurrency === null ? null : <Currency details={details} />}
          <Delete waitHours={waitHours} />
        </Stack>
      </Card>
    </>
  );
}

/** The currency of payouts; one that the program doesn't pay in anymore stays chosen until another one is. */
function Currency({ details: { payoutCurrency, payoutCurrencies, currency } }: { details: Details }) {
  const { t } = useTranslation('portal-payout-details');
  const { programId, programName } = useAccount();
  const update = useAction('portal.updatePayoutDetails', { invalidates: ['portal.payoutDetails'] });
  const choose = (code: string) =>
    update.mutate(
      { path: { programId }, body: { payoutCurrency: code === currency ? null : code } },
      {
        onSuccess: () => showToast(t('currency.saved')),
        onError: (error) => showToast(error.message, { tone: 'error' }),
      },
    );
  const isOffered = payoutCurrency === null || payoutCurrencies.includes(payoutCurrency);
  return (
    <NativeSelect
      name="payoutCurrency"
      label={t('currency.label')}
      help={t('currency.help', { currency })}
      error={isOffered ? undefined : t('currency.unavailable', { program: programName, currency: payoutCurrency })}
      value={isOffered ? (payoutCurrency ?? currency) : null}
      onChange={(code) => code !== null && choose(code)}
      placeholder={t('field.choose')}
      options={[currency, ...payoutCurrencies].map((value) => ({ value, label: value }))}
    />
  );
}

/** Deletes the payout details; the confirmation states the consequences. */
function Delete({ waitHours }: { waitHours: number }) {
  const { t } = useTranslation('portal-payout-details');
  const { programId } = useAccount();
  const [isAsking, setIsAsking] = useState(false);
  const remove = useAction('portal.deletePayoutDetails', { invalidates: ['portal.payoutDetails', 'portal.home'] });
  const confirm = () => {
    setIsAsking(false);
    remove.mutate(
      { path: { programId } },
      {
        onSuccess: () => showToast(t('delete.done')),
        onError: (error) => showToast(error.message, { tone: 'error' }),
      },
    );
  };
  return (
    <div>
      <Button icon="trash" isBusy={remove.isPending} onClick={() => setIsAsking(true)}>
        {t('delete.open')}
      </Button>
      <Confirm
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={t('delete.title')}
        text={t('delete.text', { hours: waitHours })}
        action={t('delete.open')}
        onConfirm={confirm}
      />
    </div>
  );
}

function Safety({ details: { waitHours } }: { details: Details }) {
  const { t } = useTranslation('portal-payout-details');
  const { programName } = useAccount();
  return (
    <Card title={t('safety.title')}>
      <Stack gap={8}>
        <Text>{t('safety.hidden', { program: programName })}</Text>
        <Text>{t('safety.wait', { hours: waitHours })}</Text>
      </Stack>
    </Card>
  );
}
