// The files of a year for tax authorities. What they say about the program is asked for when one is downloaded.
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Row, Stack, Text } from '../../../ui/layout/stack.tsx';

// Fields and lists of countries are large, and most visits download no file.
const Dac7Sheet = lazy(async () => ({ default: (await import('./Dac7Sheet.tsx')).Dac7Sheet }));
const Form1099Sheet = lazy(async () => ({ default: (await import('./Form1099Sheet.tsx')).Form1099Sheet }));

export function TaxFiles() {
  const { t } = useTranslation('data');
  const { currency } = useProgram();
  const [open, setOpen] = useState<'1099' | 'dac7' | null>(null);
  const close = () => setOpen(null);
  return (
    <Card title={t('files.title')}>
      <Stack gap={16}>
        <Text>{t('files.text')}</Text>
        <Row>
          {currency === 'USD' ? (
            <Button icon="download" onClick={() => setOpen('1099')}>
              {t('files.form1099')}
            </Button>
          ) : null}
          <Button icon="download" onClick={() => setOpen('dac7')}>
            {t('files.dac7')}
          </Button>
        </Row>
      </Stack>
      <Suspense fallback={null}>
        {open === '1099' ? <Form1099Sheet onClose={close} /> : null}
        {open === 'dac7' ? <Dac7Sheet onClose={close} /> : null}
      </Suspense>
    </Card>
  );
}
