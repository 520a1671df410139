// Coupons for many affiliates by a pattern. A dry run shows every code before anything is created.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useAction, useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Button } from '../../ui/controls/button.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { formatCount } from '../../ui/figures/format.ts';
import { Switch } from '../../ui/form/choices.tsx';
import { TextInput } from '../../ui/form/fields.tsx';
import { Form, useForm } from '../../ui/form/form.tsx';
import { Select } from '../../ui/form/select.tsx';
import { CancelButton, Sheet } from '../../ui/overlay/sheet.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { emptyTerms, type TermValues, toTerms } from './coupon-values.ts';
import styles from './coupons.module.css';
import { TermFields } from './TermFields.tsx';

type Values = TermValues & { pattern: string; groupId: string | null; skipWithCoupon: boolean };
type Outcome = Result<'coupons.createMany'>;

const empty: Values = Object.assign({ pattern: '{firstName}20', groupId: null, skipWithCoupon: true }, emptyTerms);
const formId = 'create-coupons';

export function BulkSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('coupons');
  const { language } = useFigures();
  const { id: programId, timezone } = useProgram();
  const form = useForm(empty);
  const [previewed, setPreviewed] = useState<{ values: string; outcome: Outcome } | null>(null);
  const preview = useAction('coupons.createMany');
  const create = useAction('coupons.createMany', { invalidates: ['coupons.list'] });
  const path = { programId };
  const { pattern, groupId, skipWithCoupon } = form.values;
  const body = Object.assign({ pattern, skipWithCoupon, groupId: groupId ?? undefined }, toTerms(form.values, timezone));
  const outcome = previewed?.values === JSON.stringify(body) ? previewed.outcome : null;
  const count = outcome?.created ?? 0;
  const submit = () => {
    if (!outcome)
      return preview.mutate(
        { path, body: Object.assign({ dryRun: true }, body) },
        {
          onSuccess: (found) => setPreviewed({ values: JSON.stringify(body), outcome: found }),
          onError: (error) => form.setProblem(error.code === 'too_many_affiliates' ? { message: t('bulk.tooMany'), details: [] } : error),
        },
      );
    create.mutate(
      { path, body },
      {
        onSuccess: ({ created }) => {
          showToast(t('bulk.done', { count: created, formatted: formatCount(created, language) }), { tone: 'success' });
          onClose();
        },
        onError: (error) => form.setProblem(error),
      },
    );
  };
  const label = outcome ? t('bulk.submit', { count, formatted: formatCount(count, language) }) : t('bulk.preview');
  return (
    <Sheet
      isOpen
      onClose={onClose}
      width="wide"
      title={t('bulk.title')}
      detail={t('bulk.detail')}
      hasChanges={form.hasChanges}
      footer={
        <>
          <CancelButton>{t('cancel')}</CancelButton>
          <Button
            kind="primary"
            type="submit"
            form={formId}
            isBusy={preview.isPending || create.isPending}
            disabled={outcome !== null && count === 0}
          >
            {label}
          </Button>
        </>
      }
    >
      <Form form={form} id={formId} onSubmit={submit}>
        <TextInput
          {...form.field('pattern')}
          label={t('bulk.pattern')}
          help={t('bulk.patternHelp')}
          isMono
          maxLength={64}
          hasAutoFocus
          isRequired
        />
        <GroupField {...form.field('groupId')} />
        <Switch {...form.field('skipWithCoupon')} label={t('bulk.skip')} />
        <TermFields form={form} />
        {outcome ? <Codes outcome={outcome} /> : null}
      </Form>
    </Sheet>
  );
}

type GroupProps = { name: string; value: string | null; onChange: (value: string | null) => void; error: string | undefined };

function GroupField(props: GroupProps) {
  const { t } = useTranslation('coupons');
  const { id: programId } = useProgram();
  const read = useRead('groups.list', { path: { programId }, query: { limit: 200, status: ['active'], sort: 'name' } });
  const options = read.data?.groups.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  return <Select {...props} label={t('bulk.who')} placeholder={t('bulk.everyone')} options={options} canClear />;
}

function Codes({ outcome: { rows, created, skipped, taken } }: { outcome: Outcome }) {
  const { t } = useTranslation('coupons');
  return (
    <>
      <p role="status" className={styles.detail}>
        {t('bulk.counts', { created, skipped, taken })}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section className={styles.rows} tabIndex={0} aria-label={t('bulk.codes')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('column.affiliate')}</th>
              <th scope="col">{t('column.code')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ affiliateId, affiliateName, code, status }) => (
              <tr key={affiliateId}>
                <td>
                  <bdi>{affiliateName}</bdi>
                </td>
                <td className={status === 'created' ? styles.code : undefined}>
                  {status === 'created' ? code : t(`bulk.status.${status}`)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}
