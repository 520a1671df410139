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

export function AccountStatus() {
  const { t } = useTranslation('portal');
  const { programId, programName, status } = useAccount();
  const read = useRead('portal.account', { path: { programId } });
  return (
    <Page title={t(`status.${status}.title`)} lede={t(`status.${status}.lede`, { program: programName })} width="reading" hasContours>
      <Loaded
        read={read}
        what={t('status.what')}
        skeleton={
          <Card>
            <SkeletonText lines={4} />
          </Card>
        }
      >
        {(account) => (
          <Stack gap={16}>
            <Card title={t('status.title')}>
              <Facts
                rows={[
                  { label: t('status.now'), value: <AffiliateStatus state={account.status} /> },
                  { label: t('status.since'), value: <DateTime value={account.statusChangedAt} as="date" /> },
                  ...(account.reason === null ? [] : [{ label: t('status.reason'), value: account.reason }]),
                  { label: t('status.email'), value: account.email },
                ]}
              />
            </Card>
            <Card title={t('status.nextTitle')}>
              <Stack gap={12}>
                <Text tone="ink">{t(`status.${account.status}.next`, { program: programName })}</Text>
                {account.status === 'archived' ? <Remaining account={account} /> : null}
                {account.websiteUrl === null ? null : (
                  <a href={account.websiteUrl} rel="noreferrer">
                    {t('status.contact', { program: programName })}
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
  const { t } = useTranslation('portal');
  const { href } = useAccount();
  const { language } = useFigures();
  return (
    <>
      {hasLeft && unpaidCents > 0 ? (
        <Text tone="ink">{t('status.archived.unpaid', { amount: formatMoney(unpaidCents, currency, language) })}</Text>
      ) : null}
      <Row>
        <ButtonLink href={href('payouts')}>{t('payoutsTitle')}</ButtonLink>
        <ButtonLink href={href('payout-details')}>{t('payoutDetailsTitle')}</ButtonLink>
      </Row>
    </>
  );
}
