// Setting up an authenticator app: scan, enter a first code, store the recovery codes.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type Result } from '../api/call.ts';
import { RequestError } from '../api/errors.ts';
import { Loaded } from '../states/loaded.tsx';
import { Button } from '../ui/controls/button.tsx';
import { TextInput } from '../ui/form/fields.tsx';
import { Stack, Text } from '../ui/layout/stack.tsx';
import { CopyButton } from '../ui/marks/copy-button.tsx';
import { Sheet } from '../ui/overlay/sheet.tsx';
import { Skeleton } from '../ui/states/skeleton.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import styles from './security.module.css';

type Props = { isOpen: boolean; onClose: () => void };

export function AuthenticatorSheet({ isOpen, onClose }: Props) {
  const { t } = useTranslation('security');
  const client = useQueryClient();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const close = () => {
    if (codes !== null) void client.invalidateQueries({ queryKey: ['secondFactor.get'] });
    setCodes(null);
    onClose();
  };
  return (
    <Sheet isOpen={isOpen} onClose={close} title={t(codes === null ? 'app.setUpTitle' : 'recovery.title')}>
      {codes === null ? <Setup onClose={close} onDone={setCodes} /> : <RecoveryCodes codes={codes} onDone={close} />}
    </Sheet>
  );
}

function Setup({ onDone }: { onClose: () => void; onDone: (codes: readonly string[]) => void }) {
  const { t } = useTranslation('security');
  const read = useQuery<Result<'secondFactor.create'>, RequestError>({
    queryKey: ['secondFactor.create'],
    queryFn: () => call('secondFactor.create', {}),
    // Each opening of the sheet creates a new secret, which is kept nowhere else.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  return (
    <Loaded read={read} what={t('app.what')} skeleton={<Skeleton height={220} shape="block" />}>
      {(data) => <Steps {...data} onDone={onDone} />}
    </Loaded>
  );
}

function Steps({ secret, qrCodeSvg, onDone }: Result<'secondFactor.create'> & { onDone: (codes: readonly string[]) => void }) {
  const { t } = useTranslation('security');
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsBusy(true);
    setProblem(null);
    try {
      onDone((await call('secondFactor.confirm', { body: { code } })).recoveryCodes);
    } catch (error) {
      setProblem(error instanceof RequestError && error.code !== 'wrong_code' ? error.message : t('app.wrongCode'));
    }
    setIsBusy(false);
  };
  return (
    <Stack gap={24}>
      <Stack gap={12}>
        <h3 className={styles.step}>{t('app.scan')}</h3>
        <Text>{t('app.scanText')}</Text>
        <img className={styles.qr} src={`data:image/svg+xml,${encodeURIComponent(qrCodeSvg)}`} alt={t('app.qrLabel')} />
        <Text tone="ink-3" size="small">
          {t('app.manual')}
        </Text>
        <div>
          <CopyButton value={secret} text={secret.replace(/(.{4})(?=.)/g, '$1 ')} isMono />
        </div>
      </Stack>
      <form onSubmit={(event) => void submit(event)}>
        <Stack gap={12}>
          <h3 className={styles.step}>{t('app.enter')}</h3>
          <TextInput
            label={t('app.code')}
            value={code}
            onChange={setCode}
            error={problem}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={7}
            isMono
          />
          <div>
            <Button kind="primary" type="submit" isBusy={isBusy}>
              {t('app.turnOn')}
            </Button>
          </div>
        </Stack>
      </form>
    </Stack>
  );
}
