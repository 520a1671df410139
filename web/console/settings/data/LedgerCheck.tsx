// Verifies the ledger when the user asks for it, and says what was checked and what was found.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { formatCount } from '../../../ui/figures/format.ts';
import { Money } from '../../../ui/figures/money.tsx';
import { Card, Facts } from '../../../ui/layout/card.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { CopyButton } from '../../../ui/marks/copy-button.tsx';
import { Notice } from '../../../ui/states/problem.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import styles from './data.module.css';

type Integrity = Result<'ledger.integrity'>;

const shownFaults = 10;

export function LedgerCheck() {
  const { t } = useTranslation('data');
  const { id: programId } = useProgram();
  const [isAsked, setIsAsked] = useState(false);
  // The complete check reads the whole ledger, so it runs when it is asked for.
  const read = useRead('ledger.integrity', { path: { programId }, query: { full: 'true' } }, { enabled: isAsked, staleMs: Infinity });
  const check = () => (isAsked ? void read.refetch() : setIsAsked(true));
  return (
    <Card title={t('check.title')}>
      <Stack gap={16}>
        <Text>{t('check.text')}</Text>
        {isAsked ? (
          <div aria-live="polite">
            <Loaded read={read} what={t('check.what')} skeleton={<SkeletonText lines={4} />}>
              {(integrity) => <Findings integrity={integrity} />}
            </Loaded>
          </div>
        ) : null}
        <div>
          <Button icon="security" isBusy={read.isFetching} onClick={check}>
            {t(read.data ? 'check.again' : 'check.action')}
          </Button>
        </div>
      </Stack>
    </Card>
  );
}

function Findings({ integrity }: { integrity: Integrity }) {
  const { t } = useTranslation('data');
  const { language } = useFigures();
  const { isValid, entryCount, verifiedCount, sealedAt, head, sumCents, currency, checkedAt } = integrity;
  const count = (value: number) => formatCount(value, language);
  return (
    <Stack gap={16}>
      {isValid ? <Notice icon="check" title={t('check.valid')} /> : <Faults faults={integrity.faults} />}
      <Facts
        rows={[
          { label: t('check.checkedAt'), value: <DateTime value={checkedAt} as="exact" /> },
          { label: t('check.entries'), value: t('check.entriesOf', { checked: count(verifiedCount), total: count(entryCount) }) },
          { label: t('check.sum'), value: <Money cents={sumCents} currency={currency} /> },
          { label: t('check.sealedAt'), value: sealedAt === null ? t('check.notSealed') : <DateTime value={sealedAt} as="exact" /> },
          { label: t('check.head'), value: <CopyButton value={head} text={`${head.slice(0, 16)}…`} isMono /> },
        ]}
      />
      <Text size="small">{t('check.headHelp')}</Text>
    </Stack>
  );
}

function Faults({ faults }: Pick<Integrity, 'faults'>) {
  const { t } = useTranslation('data');
  const { language } = useFigures();
  const more = faults.length - shownFaults;
  return (
    <Notice icon="warning" tone="error" title={t('check.invalid')}>
      {t('check.invalidText')}
      <ul className={styles.list}>
        {faults.slice(0, shownFaults).map(({ seq, kind }) => (
          <li key={`${seq} ${kind}`}>{t(`check.fault.${kind}`, { entry: formatCount(seq, language) })}</li>
        ))}
      </ul>
      {more > 0 ? t('check.more', { count: more, formatted: formatCount(more, language) }) : null}
    </Notice>
  );
}
