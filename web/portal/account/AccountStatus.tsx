// What an account that isn't active shows: its status in plain words, since when, why, and what to do.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useRead } from '../../api/queries.ts';
import { Loaded } from '../../states/loaded.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { formatMoney } from '../../ui/figures/format.ts';
import { Card, Facts } from '../../ui/layout/card.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { Row, Stack, Text } from '../../ui/layout/stack.tsx';
import { AffiliateStatus } from '../../ui/marks/status.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { useAccount } from '../session/account.ts';

export function Screen() {
  const { t } = useTranslation('portal-status');
  const { programId, programName, status } = useAccount();
  const read = useRead('portal.account', { path: { programId } });
  return (
    <Page title={t(`${status}.title`)} lede={t(`${status}.lede`, { program: programName })} width="reading" hasContours>
      <Loaded
        read={read}
        what={t('what')}
        skeleton={
          <Card>
            <SkeletonText lines={4} />
          </Card>
        }
      >
        {(account) => (
          <Stack gap={16}>
            <Card title={t('title')}>
              <Facts
                rows={[
                  { label: t('now'), value: <AffiliateStatus state={account.status} /> },
                  { label: t('since'), value: <DateTime value={account.statusChangedAt} as="date" /> },
                  ...(account.reason === null ? [] : [{ label: t('reason'), value: account.reason }]),
                  { label: t('email'), value: account.email },
                ]}
              />
            </Card>
            <Card title={t('nextTitle')}>
              <Stack gap={12}>
                <Text tone="ink">{t(`${account.status}.next`, { program: programName })}</Text>
                {account.status === 'archived' ? <Remaining account={account} /> : null}
                {account.websiteUrl === null ? null : (
                  <a href={account.websiteUrl} rel="noreferrer">
                    {t('contact', { program: programName })}
                  </a>
                )}
              </Stack>
            </Card>
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

/** What a former affiliate can still open: unpaid earnings, payouts and payout details. */
function Remaining({ account: { unpaidCents, currency, hasLeft } }: { account: Result<'portal.account'> }) {
  const { t } = useTranslation('portal-status');
  const { t: tPortal } = useTranslation('portal');
  const { href } = useAccount();
  const { language } = useFigures();
  return (
    <>
      {hasLeft && unpaidCents > 0 ? (
        <Text tone="ink">{t('archived.unpaid', { amount: formatMoney(unpaidCents, currency, language) })}</Text>
      ) : null}
      <Row>
        <ButtonLink href={href('payouts')}>{tPortal('payoutsTitle')}</ButtonLink>
        <ButtonLink href={href('payout-details')}>{tPortal('payoutDetailsTitle')}</ButtonLink>
      </Row>
    </>
  );
}
