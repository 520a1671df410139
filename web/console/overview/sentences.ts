// The most important fact as a sentence, and what follows from it.
import { useTranslation } from 'react-i18next';
import { useFigures } from '../../ui/figures/context.ts';
import { formatDate, formatRelative } from '../../ui/figures/dates.ts';
import { formatCount, formatMoney } from '../../ui/figures/format.ts';
import type { Overview } from './overview-types.ts';
import { problems } from './targets.ts';

export type Sentences = { title: string; lede: string };

/** What is repaired, or has its own sentence. */
const isNoDecision: ReadonlySet<string> = new Set([...problems, 'batch_approval']);

/** Headline and lede of the overview. */
export function useSentences(): (overview: Overview) => Sentences {
  const { t } = useTranslation('overview');
  const figures = useFigures();
  const { language, now } = figures;
  const near = (at: string) => formatRelative(at, now, figures) ?? formatDate(at, figures, now);

  const titleOf = ({ headline }: Overview): string => {
    const count = 'count' in headline ? headline.count : 'affiliates' in headline ? headline.affiliates : 0;
    const formatted = formatCount(count, language);
    if ('name' in headline) return t('headline.connections', { count, formatted, name: headline.name });
    if (headline.kind === 'batch_awaiting_approval') return t('headline.batch', { count, formatted });
    if (headline.kind === 'payouts_due') return t('headline.due', { count, formatted });
    if (headline.kind === 'reviews') return t('headline.reviews', { count, formatted });
    return t(`headline.${headline.kind}`);
  };

  const decisionsOf = ({ attention, headline }: Overview): string[] => {
    const others = attention.filter(({ kind }) => !isNoDecision.has(kind));
    const count = others.reduce((sum, item) => sum + item.count, 0);
    const oldest = others.flatMap(({ oldestAt }) => oldestAt ?? []).toSorted()[0];
    if (count === 0) return [];
    const decisions = headline.kind === 'reviews' ? [] : [t('lede.decisions', { count, formatted: formatCount(count, language) })];
    return oldest === undefined ? decisions : [...decisions, t('lede.oldest', { when: near(oldest) })];
  };

  const factOf = ({ headline, currency }: Overview): string[] => {
    if (headline.kind === 'payouts_locked') return [t(`lede.lock.${headline.lockReason}`)];
    if ('name' in headline) return [t(`lede.${headline.kind}`)];
    if (headline.kind === 'batch_awaiting_approval')
      return [t('lede.batch', { amount: formatMoney(headline.amountCents, currency, language) })];
    if (headline.kind === 'payouts_due') return [t('lede.due', { amount: formatMoney(headline.amountCents, currency, language) })];
    if (headline.kind === 'reviews') return [];
    return [headline.nextMaturesAt ? t('lede.matures', { when: near(headline.nextMaturesAt) }) : t('lede.nothingPending')];
  };

  return (overview) => {
    if (isNew(overview)) return { title: t('headline.new'), lede: t('lede.new') };
    return { title: titleOf(overview), lede: [...factOf(overview), ...decisionsOf(overview)].join(' ') };
  };
}

/** A program without an order: the first steps take the place of its figures. */
export function isNew({ hasOrders, headline }: Overview): boolean {
  return !hasOrders && headline.kind === 'all_caught_up';
}
