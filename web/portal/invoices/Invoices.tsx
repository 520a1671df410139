// The invoices that the program issues for the affiliate, and the agreement to them.
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useAction, useRead } from '../../api/queries.ts';
import { Loaded } from '../../states/loaded.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { nameOfCountry } from '../../ui/form/countries.ts';
import { Card, Facts } from '../../ui/layout/card.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { Row, Stack, Text } from '../../ui/layout/stack.tsx';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { useAccount } from '../session/account.ts';
import { Documents } from './Documents.tsx';

// Lists of countries are large, and most visits change nothing.
const EditSheet = lazy(async () => ({ default: (await import('./EditSheet.tsx')).EditSheet }));

type Details = Result<'portal.invoiceDetails'>;

export function Screen() {
  const { t } = useTranslation('portal-invoices');
  const { programId, programName } = useAccount();
  const read = useRead('portal.invoiceDetails', { path: { programId } });
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
        {(details) => (
          <>
            <Agreement details={details} />
            <Documents isAgreed={details.isAgreed} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Agreement({ details }: { details: Details }) {
  const { t } = useTranslation('portal-invoices');
  const { programName } = useAccount();
  const [isEditing, setIsEditing] = useState(false);
  const { isOffered, isAgreed, issuerName } = details;
  const edit = (
    <Button kind={isAgreed ? 'secondary' : 'primary'} onClick={() => setIsEditing(true)}>
      {t(isAgreed ? 'change' : 'agree')}
    </Button>
  );
  if (!isOffered && !isAgreed)
    return (
      <Card>
        <EmptyState title={t('notOffered.title')} text={t('notOffered.text', { program: programName })} sample="orders" />
      </Card>
    );
  return (
    <>
      {isAgreed ? (
        <Current details={details} />
      ) : (
        <Card>
          <EmptyState
            title={t('offer.title')}
            text={t('offer.text', { issuer: issuerName ?? programName })}
            actions={edit}
            sample="orders"
          />
        </Card>
      )}
      {isAgreed && isOffered ? <div>{edit}</div> : null}
      {isEditing ? (
        <Suspense fallback={null}>
          <EditSheet details={details} onClose={() => setIsEditing(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

function Current({ details: { issuerName, agreedAt, country, isSmallBusiness, language } }: { details: Details }) {
  const { t } = useTranslation('portal-invoices');
  const { language: shown } = useFigures();
  const countryName = country === null ? '' : nameOfCountry(country, shown);
  return (
    <Card title={t('current.title')}>
      <Stack gap={16}>
        <Facts
          rows={[
            { label: t('current.issuer'), value: issuerName ?? '' },
            { label: t('current.agreed'), value: agreedAt === null ? '' : <DateTime value={agreedAt} as="date" /> },
            { label: t('current.country'), value: countryName },
            { label: t('current.vat'), value: t(isSmallBusiness ? 'current.smallBusiness' : 'current.regular') },
            { label: t('current.language'), value: t(`language.${language}`) },
          ]}
        />
        <Text size="small">{t('current.hidden')}</Text>
        <Row>
          <Withdraw />
        </Row>
      </Stack>
    </Card>
  );
}

/** Withdraws the agreement; the confirmation states the consequences. */
function Withdraw() {
  const { t } = useTranslation('portal-invoices');
  const { programId } = useAccount();
  const [isAsking, setIsAsking] = useState(false);
  const withdraw = useAction('portal.withdrawInvoices', { invalidates: ['portal.invoiceDetails'] });
  const confirm = () => {
    setIsAsking(false);
    withdraw.mutate(
      { path: { programId } },
      {
        onSuccess: () => showToast(t('withdraw.done')),
        onError: (error) => showToast(error.message, { tone: 'error' }),
      },
    );
  };
  return (
    <>
      <Button isBusy={withdraw.isPending} onClick={() => setIsAsking(true)}>
        {t('withdraw.open')}
      </Button>
      <Confirm
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={t('withdraw.title')}
        text={t('withdraw.text')}
        action={t('withdraw.open')}
        onConfirm={confirm}
      />
    </>
  );
}
