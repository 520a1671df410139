import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useAction } from '../../api/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { formatMoney } from '../../ui/figures/format.ts';
import { Card } from '../../ui/layout/card.tsx';
import { Stack } from '../../ui/layout/stack.tsx';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { useAccount } from '../session/account.ts';
import styles from './account.module.css';

/** Leaving the program: typed confirmation, and a recent sign-in. */
export function LeaveCard({ account: { referralCode, unpaidCents, currency } }: { account: Result<'portal.account'> }) {
  const { t } = useTranslation('portal-account');
  const { programId, programName, href } = useAccount();
  const { language } = useFigures();
  const amount = formatMoney(unpaidCents, currency, language);
  const [isAsking, setIsAsking] = useState(false);
  const leave = useAction('portal.leave');
  const confirm = async () => {
    setIsAsking(false);
    try {
      await leave.mutateAsync({ path: { programId }, body: { referralCode } });
      location.assign(href());
    } catch {
      showToast(t('leave.failed'), { tone: 'error' });
    }
  };
  return (
    <Card title={t('leave.title', { program: programName })}>
      <Stack gap={12}>
        <ul className={styles.consequences}>
          <li>{t('leave.links')}</li>
          <li>{unpaidCents > 0 ? t('leave.money', { amount }) : t('leave.noMoney')}</li>
          <li>{t('leave.access')}</li>
          <li>{t('leave.emails')}</li>
          <li>{t('leave.return', { program: programName })}</li>
        </ul>
        <div>
          <Button isBusy={leave.isPending} onClick={() => setIsAsking(true)}>
            {t('leave.open')}
          </Button>
        </div>
      </Stack>
      <Confirm
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={t('leave.title', { program: programName })}
        text={unpaidCents > 0 ? t('leave.confirmMoney', { amount }) : t('leave.confirm')}
        action={t('leave.action', { program: programName })}
        typedName={referralCode}
        onConfirm={() => void confirm()}
      />
    </Card>
  );
}
