// Holding or releasing the selected commissions: how many of them change, what they add up to, and the reason.
import { useTranslation } from 'react-i18next';
import { useAction, useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Problem } from '../../states/problem.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { formatCount, formatMoney } from '../../ui/figures/format.ts';
import { Money } from '../../ui/figures/money.tsx';
import { TextArea } from '../../ui/form/fields.tsx';
import { Form, useForm } from '../../ui/form/form.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { showToast } from '../../ui/overlay/toast-store.ts';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { affected } from './ChangeForm.tsx';
import type { Commission } from './use-columns.tsx';

export type BulkChange = 'hold' | 'release';

export function BulkActions({ onChoose }: { onChoose: (change: BulkChange) => void }) {
  const { t } = useTranslation('commissions');
  return (
    <>
      <Button size="small" icon="pause" onClick={() => onChoose('hold')}>
        {t('change.hold.button')}
      </Button>
      <Button size="small" icon="check" onClick={() => onChoose('release')}>
        {t('change.release.button')}
      </Button>
    </>
  );
}

/** What is still to be paid for the selected rows of the page. */
export function SelectionSum({ rows = [], ids }: { rows: readonly Commission[] | undefined; ids: readonly string[] }) {
  const { t } = useTranslation('commissions');
  const { currency } = useProgram();
  const cents = rows.filter(({ id }) => ids.includes(id)).reduce((sum, { owedCents }) => sum + owedCents, 0);
  return (
    <>
      {t('owed')} <Money cents={cents} currency={currency} />
    </>
  );
}

type Props = { change: BulkChange | null; ids: readonly string[]; onClose: () => void; onDone: () => void };

export function BulkSheet({ change, ids, ...rest }: Props) {
  const { t } = useTranslation('commissions');
  return (
    <Sheet isOpen={change !== null} onClose={rest.onClose} title={t(`bulk.${change ?? 'hold'}.title`)}>
      {change === null ? null : <BulkForm change={change} ids={ids} {...rest} />}
    </Sheet>
  );
}

function BulkForm({ change, ids, onClose, onDone }: Props & { change: BulkChange }) {
  const { t } = useTranslation('commissions');
  const { id: programId, currency } = useProgram();
  const { language } = useFigures();
  const form = useForm({ note: '' });
  const path = { programId };
  const selected = { ids: [...ids], change };
  const preview = useRead('commissions.bulk', { path, body: { ...selected, dryRun: true } });
  const apply = useAction('commissions.bulk', { invalidates: ['commissions.bulk', ...affected] });
  const effect = preview.data;
  const submit = () => {
    if (effect === undefined) return;
    const text = form.values.note.trim();
    const note = text === '' && change === 'release' ? {} : { note: text };
    apply.mutate(
      { path, body: { ...selected, ...note, expectedCents: effect.changedCents } },
      {
        onSuccess: ({ changed }) => {
          showToast(t(`bulk.${change}.done`, { count: changed, formatted: formatCount(changed, language) }), { tone: 'success' });
          onDone();
          onClose();
        },
        onError: (error) => {
          form.setProblem({ message: error.message, details: error.details });
          void preview.refetch();
        },
      },
    );
  };
  if (preview.error) return <Problem error={preview.error} what={t('what')} onRetry={() => void preview.refetch()} />;
  if (effect === undefined) return <SkeletonText lines={4} />;
  const values = { count: effect.changed, formatted: formatCount(effect.changed, language) };
  return (
    <Form form={form} id="change-commissions" onSubmit={submit}>
      <p role="status">
        {t(`bulk.${change}.effect`, { ...values, amount: formatMoney(effect.changedCents, currency, language) })}{' '}
        {effect.changed < effect.matched ? t('bulk.unchanged', { count: effect.matched - effect.changed }) : ''}
      </p>
      <TextArea
        label={t('note')}
        help={t(change === 'release' ? 'noteOptional' : 'noteHelp')}
        {...form.field('note')}
        maxLength={500}
        rows={2}
        hasAutoFocus
      />
      <div>
        <Button kind="primary" type="submit" isBusy={apply.isPending} disabled={effect.changed === 0}>
          {t(`bulk.${change}.submit`, values)}
        </Button>
      </div>
    </Form>
  );
}
