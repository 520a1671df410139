// The affiliates who are skipped for one reason, and the one action that helps.
import { useTranslation } from 'react-i18next';
import { useAction } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { showProblem } from '../../../states/show-problem.ts';
import { Button, ButtonLink } from '../../../ui/controls/button.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatDateTime, formatNear } from '../../../ui/figures/dates.ts';
import { formatCount, formatMoney } from '../../../ui/figures/format.ts';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { nameOf, type SkipGroup, type SkippedRow } from './due-groups.ts';
import { PeopleCard } from './PeopleCard.tsx';

type Props = { group: SkipGroup; currency: string };

export function SkippedCard({ group, currency }: Props) {
  const { t } = useTranslation('payouts');
  const { href } = useProgram();
  const { language } = useFigures();
  const detailOf = useDetail(currency);
  const { reason, rows, amountCents } = group;
  const count = rows.length;
  const amount = formatMoney(amountCents, currency, language);
  return (
    <PeopleCard
      title={t(`skipped.${reason}.title`)}
      detail={t('people', { count, formatted: formatCount(count, language), amount })}
      text={t(`skipped.${reason}.text`)}
      action={<Action group={group} />}
      currency={currency}
      rows={rows.map((row) => ({
        id: row.affiliateId,
        name: nameOf(row),
        href: href(`affiliates/${row.affiliateId}`),
        amountCents: row.amountCents,
        detail: detailOf(row),
      }))}
    />
  );
}

/** "Payable from 24 Nov, 14:02", "$12.00 of at least $25.00", "Asked 2 days ago". */
function useDetail(currency: string): (row: SkippedRow) => string | undefined {
  const { t } = useTranslation('payouts');
  const figures = useFigures();
  const { language, now } = figures;
  return ({ reason, minimumCents, payableFrom, requestedAt, amountCents }) => {
    if (reason === 'below_minimum') {
      const missing = formatMoney(minimumCents - amountCents, currency, language);
      return t('skipped.missing', { minimum: formatMoney(minimumCents, currency, language), missing });
    }
    if (payableFrom !== null) return t('skipped.payableFrom', { at: formatDateTime(payableFrom, figures, now) });
    if (requestedAt !== null) return t('skipped.asked', { when: formatNear(requestedAt, now, figures) });
    return undefined;
  };
}

function Action({ group: { reason, rows } }: { group: SkipGroup }) {
  const { t } = useTranslation('payouts');
  const { can, href } = useProgram();
  if (reason === 'no_payout_method' || reason === 'tax_form_missing') return <AskButton reason={reason} rows={rows} />;
  if (reason !== 'affiliate_not_active' || !can('affiliates.write')) return null;
  return (
    <ButtonLink size="small" href={href('affiliates?status=suspended&status=pending')}>
      {t('skipped.review')}
    </ButtonLink>
  );
}

/** Asks all of them by email. The service leaves out those who were asked in the last days. */
function AskButton({ reason, rows }: { reason: 'no_payout_method' | 'tax_form_missing'; rows: readonly SkippedRow[] }) {
  const { t } = useTranslation('payouts');
  const { id: programId, can } = useProgram();
  const { language } = useFigures();
  const ask = useAction('payouts.requestMissing', { invalidates: ['payouts.due'] });
  if (!can('payouts.prepare')) return null;
  const unasked = rows.filter(({ requestedAt }) => requestedAt === null).length;
  const count = unasked === 0 ? rows.length : unasked;
  const submit = () =>
    ask.mutate(
      { path: { programId }, body: { reason } },
      {
        onSuccess: ({ requestedCount, askedRecentlyCount }) => {
          const formatted = formatCount(requestedCount, language);
          const recently = formatCount(askedRecentlyCount, language);
          const text =
            requestedCount === 0 ? t('skipped.askedRecently', { recently }) : t('skipped.askDone', { count: requestedCount, formatted });
          showToast(text, { tone: requestedCount === 0 ? 'neutral' : 'success' });
        },
        onError: showProblem,
      },
    );
  return (
    <Button size="small" icon="send" isBusy={ask.isPending} onClick={submit}>
      {t('skipped.ask', { count, formatted: formatCount(count, language) })}
    </Button>
  );
}
