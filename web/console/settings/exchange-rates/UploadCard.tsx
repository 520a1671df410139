// Uploading rates as CSV: typed, pasted or from a file. A check counts the changes and stores nothing. Faults are listed with
// their lines, and the text is kept.
import { type ChangeEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Problem } from '../../../states/problem.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { TextArea } from '../../../ui/form/fields.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Row, Stack, Text } from '../../../ui/layout/stack.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import styles from './exchange-rates.module.css';
import { type LineFault, parseRates, toLineFaults } from './rates-csv.ts';

const maxRates = 1000;

export function UploadCard({ currency }: { currency: string }) {
  const { t } = useTranslation('exchange-rates');
  const [text, setText] = useState('');
  const file = useRef<HTMLInputElement>(null);
  const state = useUpload(text);
  const change = (changed: string) => {
    setText(changed);
    state.reset();
  };
  const open = async (event: ChangeEvent<HTMLInputElement>) => {
    const [chosen] = event.currentTarget.files ?? [];
    event.currentTarget.value = '';
    if (chosen) change(await chosen.text());
  };
  const { count, faults, checked, error } = state;
  return (
    <Card title={t('upload.title')} detail={t('upload.detail', { currency })}>
      <Stack gap={16}>
        <TextArea
          label={t('upload.rates')}
          help={t('upload.help')}
          name="rates"
          value={text}
          onChange={change}
          rows={6}
          placeholder="EUR,2026-11-26,1.0842"
        />
        <input
          ref={file}
          type="file"
          accept=".csv,.tsv,.txt,text/csv"
          hidden
          aria-label={t('upload.file')}
          onChange={(event) => void open(event)}
        />
        <div aria-live="polite">
          {count > maxRates ? <Text>{t('upload.tooMany', { max: maxRates })}</Text> : null}
          <Faults faults={faults} currency={currency} />
          {checked ? <Text tone="ink">{t('upload.checked', checked)}</Text> : null}
          {error && faults.length === 0 ? <Problem error={error} what={t('upload.what')} /> : null}
        </div>
        <Row>
          <Button onClick={() => file.current?.click()}>{t('upload.file')}</Button>
          <Button onClick={() => state.send(true)} isBusy={state.isChecking} disabled={count === 0 || count > maxRates}>
            {t('upload.check')}
          </Button>
          <Button
            kind="primary"
            icon="upload"
            isBusy={state.isStoring}
            disabled={checked === undefined}
            onClick={() => state.send(false, () => change(''))}
          >
            {count === 0 ? t('upload.submitNone') : t('upload.submit', { count })}
          </Button>
        </Row>
      </Stack>
    </Card>
  );
}

function useUpload(text: string) {
  const { t } = useTranslation('exchange-rates');
  const { id: programId } = useProgram();
  const check = useAction('exchangeRates.upload');
  const store = useAction('exchangeRates.upload', { invalidates: ['exchangeRates.list', 'exchangeRates.status'] });
  const lines = parseRates(text);
  const rates = lines.map(({ line: _, ...rate }) => rate);
  const error = store.error ?? check.error;
  return {
    count: rates.length,
    faults: toLineFaults(lines, error?.details ?? []),
    error,
    checked: store.error ? undefined : check.data,
    isChecking: check.isPending,
    isStoring: store.isPending,
    reset: () => {
      check.reset();
      store.reset();
    },
    send: (dryRun: boolean, onStored = () => {}) =>
      (dryRun ? check : store).mutate(
        { path: { programId }, body: { rates, dryRun } },
        {
          onSuccess: ({ created, updated }) => {
            if (dryRun) return;
            showToast(t('upload.done', { count: created + updated }), { tone: 'success' });
            onStored();
          },
        },
      ),
  };
}

const shownFaults = 50;

function Faults({ faults, currency }: { faults: readonly LineFault[]; currency: string }) {
  const { t } = useTranslation('exchange-rates');
  if (faults.length === 0) return null;
  return (
    <div className={styles.faults}>
      <b>{t('upload.faults', { count: faults.length })}</b>
      <ul>
        {faults.slice(0, shownFaults).map(({ line, field }) => (
          <li key={`${line} ${field}`}>{t('upload.faultOf', { line, fault: t(`upload.fault.${field}`, { currency }) })}</li>
        ))}
      </ul>
    </div>
  );
}
