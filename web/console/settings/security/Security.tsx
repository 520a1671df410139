// How the user signs in, and where they are signed in. It belongs to the user, so it is the same in every program.
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { AuthenticatorCard } from '../../../security/AuthenticatorCard.tsx';
import { PasskeysCard } from '../../../security/PasskeysCard.tsx';
import { allowsPasskeys } from '../../../security/passkey-support.ts';
import { SessionsCard } from '../../../security/SessionsCard.tsx';
import { useProgram } from '../../../session/program.ts';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { Stack } from '../../../ui/layout/stack.tsx';
import { Notice } from '../../../ui/states/problem.tsx';

export function Screen() {
  const { t } = useTranslation('security');
  const { user } = useProgram();
  return (
    <Page title={t('title')} lede={t('lede', { email: user.email })} width="reading">
      <Stack gap={20}>
        <SecondFactorNotice />
        <WaitNotice />
        <PasskeysCard howToEnable={t('passkeys.howToEnable')} />
        <AuthenticatorCard />
        <SessionsCard />
      </Stack>
    </Page>
  );
}

/** A second factor that was set up or removed recently does not count for payouts yet. */
function WaitNotice() {
  const { t } = useTranslation('security');
  const { id: programId, name } = useProgram();
  const members = useRead('members.list', { path: { programId } });
  const paysFrom = members.data?.members.find(({ isYou }) => isYou)?.paysFrom ?? null;
  if (paysFrom === null) return null;
  return (
    <Notice icon="clock" tone="held" title={t('waitTitle')}>
      {t('waitFrom')} <DateTime value={paysFrom} as="exact" />. {t('waitText', { program: name })}
    </Notice>
  );
}

/** Roles that handle money need more than a mailbox for sensitive actions. */
function SecondFactorNotice() {
  const { t } = useTranslation('security');
  const { can } = useProgram();
  const passkeys = useRead('passkeys.list', {});
  const factor = useRead('secondFactor.get', {});
  const handlesMoney = can('payouts.prepare') || can('payouts.approve') || can('payouts.reconcile');
  if (!handlesMoney || !passkeys.data || !factor.data) return null;
  if (passkeys.data.passkeys.length > 0 || factor.data.isEnabled) return null;
  const isAvailable = passkeys.data.isAvailable && allowsPasskeys();
  return (
    <Notice icon="security" tone="held" title={t(isAvailable ? 'requiredTitle' : 'requiredAppTitle')}>
      {t('requiredText')}
    </Notice>
  );
}
