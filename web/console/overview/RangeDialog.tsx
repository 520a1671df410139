// The days of a period of one's choice. A separate file: the fields for dates are not part of the first load.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../dialog/Dialog.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { type DateRange, DateRangeInput } from '../../ui/form/dates.tsx';
import { Row, Stack } from '../../ui/layout/stack.tsx';
import styles from './range.module.css';

type Props = { initial: DateRange; onApply: (range: { from: string; to: string }) => void; onClose: () => void };

export function RangeDialog({ initial, onApply, onClose }: Props) {
  const { t } = useTranslation('overview');
  const [value, setValue] = useState<DateRange>(initial);
  const [error, setError] = useState<string | undefined>();
  const apply = () => {
    if (value.from === null || value.to === null || value.from > value.to) setError(t('range.invalid'));
    else onApply({ from: value.from, to: value.to });
  };
  return (
    <Dialog isOpen onClose={onClose} label={t('range.custom')}>
      <div className={styles.body}>
        <Stack gap={16}>
          <h2>{t('range.custom')}</h2>
          <DateRangeInput fromLabel={t('range.from')} toLabel={t('range.to')} value={value} onChange={setValue} error={error} />
          <Row justify="flex-end">
            <Button kind="primary" onClick={apply}>
              {t('range.apply')}
            </Button>
          </Row>
        </Stack>
      </div>
    </Dialog>
  );
}
