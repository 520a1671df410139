import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../api/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Stack, Text } from '../../ui/layout/stack.tsx';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { useAccount } from '../session/account.ts';

/** Leaving the program: typed confirmation, and a recent sign-in. */
export function LeaveCard({ referralCode }: { referralCode: string }) {
  const { t } = useTranslation('portal-account');
  const { programId, programName } = useAccount();
  const [isAsking, setIsAsking] = useState(false);
  const leave = useAction('portal.leave');
  const confirm = async () => {
    setIsAsking(false);
    try {
      await leave.mutateAsync({ path: { programId }, body: { referralCode } });
      location.assign('/portal?all=1');
    } catch {
      showToast(t('leave.failed'), { tone: 'error' });
    }
  };
  return (
    <Card title={t('leave.title', { program: programName })}>
      <Stack gap={12}>
        <Text>{t('leave.text', { program: programName })}</Text>
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
        text={t('leave.confirm')}
        action={t('leave.action', { program: programName })}
        typedName={referralCode}
        onConfirm={() => void confirm()}
      />
    </Card>
  );
}
