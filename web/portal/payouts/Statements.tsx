// The statement of a month as a file. A month begins in the time zone of the program.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { download } from '../../states/download.ts';
import { Button } from '../../ui/controls/button.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { listMonths } from '../../ui/figures/months.ts';
import { NativeSelect } from '../../ui/form/native-select.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Row, Stack, Text } from '../../ui/layout/stack.tsx';
import { useAccount } from '../session/account.ts';

export function Statements() {
  const { t } = useTranslation('portal-payouts');
  const { programId } = useAccount();
  const { language, now } = useFigures();
  const months = listMonths(new Date(now), language);
  const [month, setMonth] = useState<string | null>(months[0]?.value ?? null);
  const save = (format: 'pdf' | 'csv') =>
    download(`statement-${month}.${format}`, () =>
      call('portal.statement', { path: { programId }, query: { month: month ?? undefined, format } }),
    );
  return (
    <Card title={t('statement.title')}>
      <Stack gap={16}>
        <Text>{t('statement.text')}</Text>
        <NativeSelect
          label={t('statement.month')}
          options={months}
          placeholder={t('statement.current')}
          value={month}
          onChange={setMonth}
        />
        <Row>
          <Button icon="download" onClick={() => void save('pdf')}>
            {t('statement.pdf')}
          </Button>
          <Button icon="download" onClick={() => void save('csv')}>
            {t('statement.csv')}
          </Button>
        </Row>
      </Stack>
    </Card>
  );
}
