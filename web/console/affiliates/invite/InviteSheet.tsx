// Inviting affiliates: paste addresses, correct the names, choose the terms, and see the email before it is sent.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useAction, useRead } from '../../../api/queries.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatCount } from '../../../ui/figures/format.ts';
import { Switch, TextArea } from '../../../ui/form/fields.tsx';
import { FieldRow, Form, type FormState, useForm } from '../../../ui/form/form.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { Sheet } from '../../../ui/overlay/sheet.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { useProgram } from '../../session/program.ts';
import { AffiliateSelect } from '../AffiliateSelect.tsx';
import { type Person, parseAddresses } from './addresses.ts';
import { Outcomes } from './Outcomes.tsx';
import { People } from './People.tsx';
import { EmailPreview } from './Preview.tsx';

const affected = ['affiliateTable.list', 'affiliates.list', 'overview.get'] as const;
export const maxPeople = 200;

export type InviteValues = {
  addresses: string;
  /** Corrected names, by address. */
  people: readonly Person[];
  groupId: string | null;
  parentAffiliateId: string | null;
  autoApprove: boolean;
  message: string;
};

const empty: InviteValues = { addresses: '', people: [], groupId: null, parentAffiliateId: null, autoApprove: false, message: '' };

export function InviteSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return isOpen ? <OpenSheet onClose={onClose} /> : null;
}

function OpenSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('affiliate');
  const { language } = useFigures();
  const { id: programId } = useProgram();
  const form = useForm(empty);
  const invite = useAction('affiliates.inviteMany', { invalidates: affected });
  const [result, setResult] = useState<Result<'affiliates.inviteMany'> | null>(null);
  const count = form.values.people.length;
  const submit = () =>
    invite.mutate(
      { path: { programId }, body: toBody(form.values) },
      {
        onError: (error) => form.setProblem(error),
        onSuccess: (outcome) => {
          if (outcome.rejected > 0 || outcome.existed > 0) return setResult(outcome);
          onClose();
          showToast(t('invite.done', { count: outcome.invited, formatted: formatCount(outcome.invited, language) }), { icon: 'send' });
        },
      },
    );
  const buttons = result ? (
    <Button kind="primary" onClick={onClose}>
      {t('invite.close')}
    </Button>
  ) : (
    <>
      <Button onClick={onClose}>{t('cancel')}</Button>
      <Button kind="primary" type="submit" form="invite" icon="send" isBusy={invite.isPending} disabled={count === 0}>
        {count === 0 ? t('invite.submitNone') : t('invite.submit', { count, formatted: formatCount(count, language) })}
      </Button>
    </>
  );
  return (
    <Sheet
      isOpen
      onClose={onClose}
      width="wide"
      title={t('invite.title')}
      detail={t('invite.lede')}
      hasChanges={form.hasChanges && !result}
      footer={buttons}
    >
      {result ? (
        <Outcomes result={result} />
      ) : (
        <Form form={form} id="invite" onSubmit={submit}>
          <Addresses form={form} />
          <Terms form={form} />
          <EmailPreview values={form.values} />
        </Form>
      )}
    </Sheet>
  );
}

/** What the request contains; the preview sends the same as a dry run. */
export function toBody({ people, groupId, parentAffiliateId, autoApprove, message }: InviteValues) {
  return { affiliates: people.slice(0, maxPeople), groupId, parentAffiliateId, autoApprove, message: message.trim() || null };
}

type Part = { form: FormState<InviteValues> };

function Addresses({ form }: Part) {
  const { t } = useTranslation('affiliate');
  const change = (addresses: string) => {
    const known = new Map(form.values.people.map((person) => [person.email.toLowerCase(), person]));
    const people = parseAddresses(addresses).map((person) => known.get(person.email.toLowerCase()) ?? person);
    form.setValues({ addresses, people });
  };
  return (
    <>
      <TextArea
        label={t('invite.addresses')}
        help={form.values.people.length > maxPeople ? t('invite.tooMany', { max: maxPeople }) : t('invite.addressesHelp')}
        placeholder={'ada@example.com\nMateo Castillo <mateo@example.com>'}
        rows={3}
        hasAutoFocus
        {...form.field('addresses')}
        onChange={change}
        error={form.errors.affiliates}
      />
      <People people={form.values.people} onChange={(people) => form.setValues({ people })} />
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
  return (
    <>
      <FieldRow>
        <Select label={t('field.groupId')} options={options} canClear placeholder={t('noGroup')} {...form.field('groupId')} />
        <AffiliateSelect
          label={t('field.parentAffiliateId')}
          current={null}
          help={t('invite.uplineHelp')}
          {...form.field('parentAffiliateId')}
        />
      </FieldRow>
      <TextArea label={t('invite.message')} help={t('invite.messageHelp')} rows={3} maxLength={2000} {...form.field('message')} />
      <Switch label={t('invite.autoApprove')} help={t('invite.autoApproveHelp')} {...form.field('autoApprove')} />
    </>
  );
}
