// Everything that is stored about the affiliate, as a file. The service asks for a recent sign-in first.
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { DownloadButton } from '../../states/download-button.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { dayOf } from '../../ui/figures/days.ts';
import { Card } from '../../ui/layout/card.tsx';
import { Stack, Text } from '../../ui/layout/stack.tsx';
import { useAccount } from '../session/account.ts';

export function OwnDataCard() {
  const { t } = useTranslation('portal-account');
  const { programId, programName } = useAccount();
  const { now } = useFigures();
  const load = () => call('portal.downloadOwnData', { path: { programId } }, { isFile: true });
  return (
    <Card title={t('data.title')}>
      <Stack gap={12}>
        <Text>{t('data.text', { program: programName })}</Text>
        <Text size="small" tone="ink-3">
          {t('data.help')}
        </Text>
        <div>
          <DownloadButton name={`my-data-${dayOf(now, 'UTC')}.json`} load={load}>
            {t('data.download')}
          </DownloadButton>
        </div>
      </Stack>
    </Card>
  );
}
