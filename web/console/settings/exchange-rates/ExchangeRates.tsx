// Where exchange rates come from, which are stored, and which orders wait for one.
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { Stack } from '../../../ui/layout/stack.tsx';
import { Skeleton } from '../../../ui/states/skeleton.tsx';
import { ProgramScreen } from '../form/ProgramScreen.tsx';
import type { Program } from '../form/use-program-form.ts';
import { RateTable } from './RateTable.tsx';
import { SourceForm } from './SourceForm.tsx';
import { StatusNotices } from './StatusNotices.tsx';
import { UploadCard } from './UploadCard.tsx';

export function Screen() {
  const { t } = useTranslation('exchange-rates');
  return (
    <ProgramScreen title={t('title')} lede={t('lede')} width="wide">
      {(program) => <Settings program={program} />}
    </ProgramScreen>
  );
}

function Settings({ program }: { program: Program }) {
  const { t } = useTranslation('exchange-rates');
  const read = useRead('exchangeRates.status', { path: { programId: program.id } });
  return (
    <Stack gap={24}>
      <Loaded read={read} what={t('whatStatus')} skeleton={<Skeleton shape="block" height={64} />}>
        {(status) => <StatusNotices status={status} />}
      </Loaded>
      <SourceForm program={program} />
      <UploadCard currency={program.currency} />
      <RateTable currencies={read.data?.currencies ?? []} currency={program.currency} />
    </Stack>
  );
}
