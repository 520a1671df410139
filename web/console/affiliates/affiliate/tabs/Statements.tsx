// The statement of an affiliate's month as a file. A month begins in the time zone of the program.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../../api/call.ts';
import { useProgram } from '../../../../session/program.ts';
import { DownloadButton } from '../../../../states/download-button.tsx';
import { useFigures } from '../../../../ui/figures/context.ts';
import { listMonths } from '../../../../ui/figures/months.ts';
import { Select } from '../../../../ui/form/select.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { Row, Stack, Text } from '../../../../ui/layout/stack.tsx';

type Format = 'pdf' | 'csv';

export function Statements({ affiliateId }: { affiliateId: string }) {
  const { t } = useTranslation('affiliate');
  const { id: programId } = useProgram();
  const { language, now } = useFigures();
  const months = listMonths(new Date(now), language);
  const [month, setMonth] = useState<string | null>(months[0]?.value ?? null);
  const name = `statement-${month ?? 'current'}-${affiliateId.slice(-8)}`;
  const load = (format: Format) =>
    call('affiliates.statement', { path: { programId, id: affiliateId }, query: { month: month ?? undefined, format } });
  return (
    <Card title={t('statement.title')}>
      <Stack gap={16}>
        <Text>{t('statement.text')}</Text>
        <Select label={t('statement.month')} options={months} value={month} onChange={setMonth} />
        <Row>
          {(['pdf', 'csv'] as const).map((format) => (
            <DownloadButton key={format} name={`${name}.${format}`} load={() => load(format)}>
              {t(`statement.${format}`)}
            </DownloadButton>
          ))}
        </Row>
      </Stack>
    </Card>
  );
}
