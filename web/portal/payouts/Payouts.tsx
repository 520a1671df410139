// What was paid and what is on its way, each with a receipt, and the monthly statements.
import { useTranslation } from 'react-i18next';
import { call, type Result } from '../../api/call.ts';
import { useRead } from '../../api/queries.ts';
import { download } from '../../states/download.ts';
import { Loaded } from '../../states/loaded.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { Converted } from '../../ui/figures/converted.tsx';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { Money } from '../../ui/figures/money.tsx';
import type { IconName } from '../../ui/icons.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { Stack, Text } from '../../ui/layout/stack.tsx';
import { Status, type Tone } from '../../ui/marks/status.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { Notice } from '../../ui/states/problem.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { Next } from '../home/Next.tsx';
import { useAccount } from '../session/account.ts';
import styles from './payouts.module.css';
import { Statements } from './Statements.tsx';

const refreshMs = 60_000;

type List = Result<'portal.payouts'>;
type Payout = List['payouts'][number];

const marks: Record<Payout['state'], [Tone, IconName]> = {
  preparing: ['pending', 'clock'],
  on_its_way: ['approved', 'transit'],
  paid: ['paid', 'check'],
  failed: ['reversed', 'warning'],
  returned: ['reversed', 'undo'],
  cancelled: ['neutral', 'close'],
};

export function Screen() {
  const { t } = useTranslation('portal-payouts');
  const { programId, programName, href } = useAccount();
  const read = useRead('portal.payouts', { path: { programId }, query: { limit: 200 } }, { refreshMs });
  return (
    <Page
      title={t('title')}
      lede={t('lede', { program: programName })}
      width="reading"
      actions={<ButtonLink href={href('payout-details')}>{t('details')}</ButtonLink>}
    >
      <Loaded
        read={read}
        what={t('what')}
        skeleton={
          <Card>
            <SkeletonText lines={6} />
          </Card>
        }
      >
        {(list) => (
          <>
            <NextPayout />
            <MissingTaxForm />
            <History list={list} />
            <Statements />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** What is paid next, with the step that is missing for it. Suspended and former affiliates read it in their account status. */
function NextPayout() {
  const { t } = useTranslation('portal-payouts');
  const { programId, status, href } = useAccount();
  const { data: home } = useRead('portal.home', { path: { programId } }, { enabled: status === 'active', refreshMs, staleMs: 0 });
  if (!home) return null;
  const { needsPayoutDetails, hasPayoutDetails } = home.setup;
  return (
    <Card title={t('nextPayout')}>
      <Stack gap={12}>
        <Text>
          <Next home={home} />
        </Text>
        {needsPayoutDetails && !hasPayoutDetails ? (
          <div>
            <ButtonLink kind="primary" href={href('payout-details')}>
              {t('addDetails')}
            </ButtonLink>
          </div>
        ) : null}
      </Stack>
    </Card>
  );
}

/** Says that the next payout waits for a tax form, where the program requires one. */
function MissingTaxForm() {
  const { t } = useTranslation('portal-payouts');
  const { programId, programName, isEmbedded, href } = useAccount();
  const { data: form } = useRead('portal.taxForm', { path: { programId } }, { enabled: !isEmbedded });
  if (!form?.isRequired || form.isValid) return null;
  return (
    <Notice icon="warning" tone="held" title={t('taxForm.title')}>
      <Stack gap={12}>
        {t('taxForm.text', { program: programName })}
        <div>
          <ButtonLink size="small" href={href('tax-form')}>
            {t('taxForm.submit')}
          </ButtonLink>
        </div>
      </Stack>
    </Notice>
  );
}

function History({ list: { payouts, total } }: { list: List }) {
  const { t } = useTranslation('portal-payouts');
  if (payouts.length === 0)
    return (
      <Card>
        <EmptyState title={t('empty.title')} text={t('empty.text')} sample="orders" />
      </Card>
    );
  return (
    <Card title={t('history')} detail={t('count', { count: total })} isFlush>
      <ul>
        {payouts.map((payout) => (
          <PayoutItem key={payout.id} payout={payout} />
        ))}
      </ul>
    </Card>
  );
}

function PayoutItem({ payout: { id, state, amountCents, currency, exchange, reference, createdAt, settledAt } }: { payout: Payout }) {
  const { t } = useTranslation('portal-payouts');
  const { programId, href } = useAccount();
  const { language } = useFigures();
  const [tone, icon] = marks[state];
  const save = () =>
    download(`receipt-${id.slice(-8)}.pdf`, () => call('portal.payout', { path: { programId, id }, query: { format: 'pdf', language } }));
  return (
    <li className={styles.item}>
      <div className={styles.head}>
        <span className={styles.amount}>
          <Money cents={amountCents} currency={currency} />
        </span>
        <Status tone={tone} icon={icon}>
          {t(`state.${state}`)}
        </Status>
      </div>
      <div className={styles.detail}>
        <DateTime value={settledAt ?? createdAt} as="date" />
        {reference === null ? null : <span className={styles.reference}> · {t('reference', { reference })}</span>}
      </div>
      {exchange === null ? null : (
        <div className={styles.detail}>
          {t('paidAs')} <Converted exchange={exchange} currency={currency} />
        </div>
      )}
      {state === 'paid' ? null : <p className={styles.next}>{t(`next.${state}`)}</p>}
      <div className={styles.actions}>
        {state === 'failed' || state === 'returned' ? (
          <ButtonLink size="small" href={href('payout-details')}>
            {t('fix')}
          </ButtonLink>
        ) : null}
        {state === 'paid' || state === 'returned' ? (
          <Button size="small" icon="download" onClick={() => void save()}>
            {t('receipt')}
          </Button>
        ) : null}
      </div>
    </li>
  );
}
