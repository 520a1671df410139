// Inviting affiliates: paste addresses, correct the names, choose the terms, and see the email before it is sent.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction, useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatCount } from '../../../ui/figures/format.ts';
import { Switch } from '../../../ui/form/choices.tsx';
import { TextArea } from '../../../ui/form/fields.tsx';
import { FieldRow, Form, type FormState, useForm } from '../../../ui/form/form.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { CancelButton, Sheet } from '../../../ui/overlay/sheet.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { Notice } from '../../../ui/states/problem.tsx';
import { AffiliateSelect } from '../AffiliateSelect.tsx';
import { useUplineHelp } from '../use-upline-help.ts';
import { formatAddresses, type Row } from './addresses.ts';
import { type InviteValues, maxPeople, toBody } from './invite-body.ts';
import { People } from './People.tsx';
import { EmailPreview } from './Preview.tsx';
import { useRows } from './use-rows.ts';

const affected = ['affiliateTable.list', 'affiliates.list', 'overview.get'] as const;

const empty: InviteValues = { addresses: '', people: [], groupId: null, parentAffiliateId: null, autoApprove: false, message: '' };

export function InviteSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return isOpen ? <OpenSheet onClose={onClose} /> : null;
}

function OpenSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('affiliate');
  const { language } = useFigures();
  const { id: programId } = useProgram();
  const form = useForm(empty);
  const { keepFailed } = useRows();
  const invite = useAction('affiliates.inviteMany', { invalidates: affected });
  const [partial, setPartial] = useState<string | null>(null);
  const count = Math.min(form.values.people.length, maxPeople);
  const submit = () =>
    invite.mutate(
      { path: { programId }, body: toBody(form.values) },
      {
        onError: (error) => form.setProblem(error),
        onSuccess: ({ invited, rows }) => {
          const done = t('invite.done', { count: invited, formatted: formatCount(invited, language) });
          const rest = keepFailed(form.values.people, rows);
          if (rest.people.length > 0) {
            form.setValues(rest);
            setPartial(`${done}. ${t('invite.rest', { count: rest.people.length, formatted: formatCount(rest.people.length, language) })}`);
            return;
          }
          onClose();
          showToast(done, { icon: 'send' });
        },
      },
    );
  return (
    <Sheet
      isOpen
      onClose={onClose}
      width="wide"
      title={t('invite.title')}
      detail={t('invite.lede')}
      hasChanges={form.hasChanges && count > 0}
      footer={
        <>
          <CancelButton>{t('cancel')}</CancelButton>
          <Button kind="primary" type="submit" form="invite" icon="send" isBusy={invite.isPending} disabled={count === 0}>
            {count === 0 ? t('invite.submitNone') : t('invite.submit', { count, formatted: formatCount(count, language) })}
          </Button>
        </>
      }
    >
      <Form form={form} id="invite" onSubmit={submit}>
        {partial === null ? null : (
          <div role="status">
            <Notice tone="held" icon="warning" title={partial} />
          </div>
        )}
        <Addresses form={form} />
        <Terms form={form} />
        <EmailPreview values={form.values} />
      </Form>
    </Sheet>
  );
}

type Part = { form: FormState<InviteValues> };

/** As they were pasted, so that corrections are found again. */
const toSources = (rows: readonly Row[]) => rows.map((row) => ({ ...row, email: row.source }));

function Addresses({ form }: Part) {
  const { t } = useTranslation('affiliate');
  const { parse } = useRows();
  const { addresses, people } = form.values;
  const change = (next: string) => form.setValues({ addresses: next, people: parse(next, people) });
  // A removed row leaves the text, too: otherwise typing would bring it back.
  const correct = (rows: readonly Row[]) =>
    form.setValues({ people: rows, addresses: rows.length < people.length ? formatAddresses(toSources(rows)) : addresses });
  return (
    <>
      <TextArea
        label={t('invite.addresses')}
        help={people.length > maxPeople ? t('invite.tooMany', { max: maxPeople }) : t('invite.addressesHelp')}
        placeholder={'ada@example.com\nMateo Castillo <mateo@example.com>'}
        rows={3}
        hasAutoFocus
        {...form.field('addresses')}
        onChange={change}
        error={form.errors.affiliates}
      />
      <People people={people} onChange={correct} />
    </>
  );
}

function Terms({ form }: Part) {
  const { t } = useTranslation('affiliate');
  const { id: programId } = useProgram();
  const groups = useRead('groups.list', { path: { programId }, query: { limit: 100, status: ['active'] } });
  const options =
    groups.data?.groups.map(({ id, name, description }) =>
      description ? { value: id, label: name, detail: description } : { value: id, label: name },
    ) ?? [];
  const uplineHelp = useUplineHelp();
  return (
    <>
      <FieldRow>
        <Select label={t('field.groupId')} options={options} canClear placeholder={t('noGroup')} {...form.field('groupId')} />
        <AffiliateSelect label={t('field.parentAffiliateId')} current={null} help={uplineHelp} {...form.field('parentAffiliateId')} />
      </FieldRow>
      <TextArea label={t('invite.message')} help={t('invite.messageHelp')} rows={3} maxLength={2000} {...form.field('message')} />
      <Switch label={t('invite.autoApprove')} help={t('invite.autoApproveHelp')} {...form.field('autoApprove')} />
    </>
  );
}
