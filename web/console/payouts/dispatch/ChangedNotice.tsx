// The amounts changed while the sheet was open: whose, from what to what, and the new total.
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/controls/button.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatMoney } from '../../../ui/figures/format.ts';
import { Notice } from '../../../ui/states/problem.tsx';
import type { DueChange } from './changes.ts';

type Props = { changes: readonly DueChange[]; currency: string; totalCents: number; onAccept: () => void };

export function ChangedNotice({ changes, currency, totalCents, onAccept }: Props) {
  const { t } = useTranslation('payouts');
  const { language } = useFigures();
  const button = useRef<HTMLButtonElement>(null);
  // The button that paid the former amounts has lost the focus, which moves here.
  useEffect(() => button.current?.focus(), []);
  const money = (cents: number) => formatMoney(cents, currency, language);
  const sentenceOf = ({ name, beforeCents, afterCents }: DueChange) => {
    if (beforeCents === 0) return t('changed.added', { name, after: money(afterCents) });
    if (afterCents === 0) return t('changed.removed', { name, before: money(beforeCents) });
    return t('changed.amount', { name, before: money(beforeCents), after: money(afterCents) });
  };
  return (
    <div role="alert">
      <Notice icon="warning" tone="held" title={t('changed.title')}>
        <p>{t('changed.text', { total: money(totalCents) })}</p>
        <ul>
          {changes.map((change) => (
            <li key={change.affiliateId}>{sentenceOf(change)}</li>
          ))}
        </ul>
        <Button ref={button} size="small" onClick={onAccept}>
          {t('changed.accept', { total: money(totalCents) })}
        </Button>
      </Notice>
    </div>
  );
}
