// Everything that is stored about the affiliate, as a file. The service asks for a recent sign-in first.
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useMe } from '../../session/me.ts';
import { DownloadButton } from '../../states/download-button.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { dayOf } from '../../ui/figures/days.ts';
import { Card } from '../../ui/layout/card.tsx';
import { Row, Stack, Text } from '../../ui/layout/stack.tsx';
import { useAccount } from '../session/account.ts';

export function OwnDataCard() {
  const { t } = useTranslation('portal-account');
  const { programId, programName } = useAccount();
  const day = dayOf(useFigures().now, 'UTC');
  const { data: me } = useMe();
  const programs = me?.affiliateAccounts.filter(({ view }) => view === null).length ?? 1;
  const loadAll = () => call('ownData.download', {}, { isFile: true });
  const load = () => call('portal.downloadOwnData', { path: { programId } }, { isFile: true });
  return (
    <Card title={t('data.title')}>
      <Stack gap={12}>
        <Text>{t('data.text', { program: programName })}</Text>
        <Text size="small" tone="ink-3">
          {t('data.help')}
        </Text>
        <Row>
          <DownloadButton name={`my-data-${day}.json`} load={load}>
            {t('data.download')}
          </DownloadButton>
          {programs > 1 ? (
            <DownloadButton name={`my-data-of-all-programs-${day}.json`} load={loadAll}>
              {t('data.downloadAll', { count: programs })}
            </DownloadButton>
          ) : null}
        </Row>
      </Stack>
    </Card>
  );
}
