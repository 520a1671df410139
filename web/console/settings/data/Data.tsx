// The data of a program: the check of its ledger, the totals of a year, its records as files, and deleting all of it.
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { DownloadButton } from '../../../states/download-button.tsx';
import { Loaded } from '../../../states/loaded.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { Row, Stack, Text } from '../../../ui/layout/stack.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import { DeleteProgram } from './DeleteProgram.tsx';
import { ErasureRequests } from './ErasureRequests.tsx';
import { LedgerCheck } from './LedgerCheck.tsx';
import { TaxFiles } from './TaxFiles.tsx';
import { TaxTotals } from './TaxTotals.tsx';

export function Screen() {
  const { t } = useTranslation('data');
  const { can } = useProgram();
  return (
    <Page title={t('title')} lede={t('lede')}>
      <Stack gap={20}>
        {can('settings.write') ? <ErasureRequests /> : null}
        <LedgerCheck />
        {can('tax.read') ? <TaxTotals /> : null}
        {can('tax.read') ? <TaxFiles /> : null}
        <Records />
        {can('program.delete') ? <Deletion /> : null}
      </Stack>
    </Page>
  );
}

function Deletion() {
  const { t } = useTranslation('data');
  const { id: programId } = useProgram();
  const read = useRead('programDeletion.get', { path: { programId } });
  return (
    <Card title={t('delete.title')}>
      <Loaded read={read} what={t('what')} skeleton={<SkeletonText lines={7} />}>
        {(preview) => <DeleteProgram preview={preview} />}
      </Loaded>
    </Card>
  );
}

/** No program is older than this. */
const beginning = '2020-01-01T00:00:00Z';

/** The records that have to be kept for years. */
function Records() {
  const { t } = useTranslation('data');
  const { id: programId, slug } = useProgram();
  const path = { programId };
  const ledger = () => call('ledger.journal', { path, query: { createdFrom: beginning } });
  const audit = () => call('auditEvents.export', { path });
  return (
    <Card title={t('records.title')}>
      <Stack gap={16}>
        <Text>{t('records.text')}</Text>
        <Row>
          <DownloadButton name={`${slug}-ledger.csv`} load={ledger}>
            {t('records.ledger')}
          </DownloadButton>
          <DownloadButton name={`${slug}-audit-log.csv`} load={audit}>
            {t('records.audit')}
          </DownloadButton>
        </Row>
      </Stack>
    </Card>
  );
}
