// Announces the progress of a batch to screen readers: at most every ten seconds, and only when it changed.
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { announce } from '../../../ui/overlay/announcements.ts';
import { type Batch, countOf } from './batch.ts';

const pauseMs = 10_000;

export function useProgressAnnouncements(batch: Batch | undefined): void {
  const { t } = useTranslation('payout-batch');
  const last = useRef({ text: '', at: 0 });
  const text =
    batch === undefined
      ? ''
      : t('announcement', {
          paid: countOf(batch, 'paid'),
          total: batch.payoutCount,
          problems: countOf(batch, 'failed', 'returned', 'reconcile_required'),
        });
  useEffect(() => {
    const isFirst = last.current.text === '';
    if (text === '' || text === last.current.text) return;
    if (!isFirst && Date.now() - last.current.at < pauseMs) return;
    last.current = { text, at: isFirst ? 0 : Date.now() };
    if (!isFirst) announce(text);
  }, [text]);
}
