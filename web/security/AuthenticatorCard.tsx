// The authenticator app: set up, new recovery codes, remove.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../api/call.ts';
import { RequestError } from '../api/errors.ts';
import { useAction, useRead } from '../api/queries.ts';
import { Loaded } from '../states/loaded.tsx';
import { Button } from '../ui/controls/button.tsx';
import { DateTime } from '../ui/figures/date-time.tsx';
import { Card } from '../ui/layout/card.tsx';
import { Row, Stack, Text } from '../ui/layout/stack.tsx';
import { Status } from '../ui/marks/status.tsx';
import { showToast } from '../ui/overlay/toasts.tsx';
import { SkeletonText } from '../ui/states/skeleton.tsx';
import { AuthenticatorSheet } from './AuthenticatorSheet.tsx';
import { RecoverySheet } from './RecoverySheet.tsx';
import { RemoveDialog } from './RemoveDialog.tsx';

type Open = 'setup' | 'recovery' | 'remove' | null;

export function AuthenticatorCard() {
  const { t } = useTranslation('security');
  const read = useRead('secondFactor.get', {});
  return (
    <Card title={t('app.title')} detail={t('app.detail')}>
      <Loaded read={read} what={t('app.what')} skeleton={<SkeletonText lines={2} />}>
        {(data) => <Authenticator {...data} />}
      </Loaded>
    </Card>
  );
}

function Authenticator({ isEnabled, enabledAt, recoveryCodesLeft }: Result<'secondFactor.get'>) {
  const { t } = useTranslation('security');
  const [open, setOpen] = useState<Open>(null);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const renew = useAction('secondFactor.createRecoveryCodes', { invalidates: ['secondFactor.get'] });
  const createCodes = async () => {
    try {
      setCodes((await renew.mutateAsync({})).recoveryCodes);
      setOpen('recovery');
    } catch (error) {
      if (!(error instanceof RequestError && error.needsConfirmation)) showToast(t('failed'), { tone: 'error' });
    }
  };
  const close = () => setOpen(null);
  return (
    <Stack gap={16}>
      {isEnabled && enabledAt !== null ? (
        <>
          <Row gap={12}>
            <Status tone="approved" icon="check">
              {t('app.on')}
            </Status>
            <Text>
              {t('app.since')} <DateTime value={enabledAt} as="date" /> · {t('app.codesLeft', { count: recoveryCodesLeft })}
            </Text>
          </Row>
          <Row>
            <Button isBusy={renew.isPending} onClick={() => void createCodes()}>
              {t('app.newCodes')}
            </Button>
            <Button onClick={() => setOpen('remove')}>{t('app.remove')}</Button>
          </Row>
        </>
      ) : (
        <>
          <Text>{t('app.off')}</Text>
          <Row>
            <Button icon="plus" onClick={() => setOpen('setup')}>
              {t('app.setUp')}
            </Button>
          </Row>
        </>
      )}
      <AuthenticatorSheet isOpen={open === 'setup'} onClose={close} />
      <RecoverySheet isOpen={open === 'recovery'} onClose={close} codes={codes} />
      <RemoveDialog isOpen={open === 'remove'} onClose={close} />
    </Stack>
  );
}
