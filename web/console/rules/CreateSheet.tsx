// Adds a commission rule: a share or an amount of each order, or an amount of each lead, for everyone, a group or one affiliate.
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { RequestError } from '../../api/errors.ts';
import { useAction, useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Button } from '../../ui/controls/button.tsx';
import { MoneyInput, RateInput } from '../../ui/form/amounts.tsx';
import { TextInput } from '../../ui/form/fields.tsx';
import { Form, type FormState, useForm } from '../../ui/form/form.tsx';
import { Select } from '../../ui/form/select.tsx';
import { Stack, Text } from '../../ui/layout/stack.tsx';
import { Segments } from '../../ui/layout/tabs.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { AffiliateSelect } from '../affiliates/AffiliateSelect.tsx';
import styles from './rules.module.css';
import { type RuleChange, Simulation } from './Simulation.tsx';

const kinds = ['percentage', 'flat', 'lead'] as const;
const scopes = ['everyone', 'group', 'affiliate'] as const;

type Values = {
  name: string;
  kind: (typeof kinds)[number];
  rate: number | null;
  amountCents: number | null;
  scope: (typeof scopes)[number];
  groupId: string | null;
  affiliateId: string | null;
};

const empty: Values = { name: '', kind: 'percentage', rate: null, amountCents: null, scope: 'everyone', groupId: null, affiliateId: null };

/** All empty fields. For the server, a rule without a group or affiliate applies to everyone. */
function findMissing({ name, kind, rate, amountCents, scope, groupId, affiliateId }: Values): (keyof Values)[] {
  const empty: [field: keyof Values, isEmpty: boolean][] = [
    ['name', name.trim() === ''],
    ['rate', kind === 'percentage' && rate === null],
    ['amountCents', kind !== 'percentage' && amountCents === null],
    ['groupId', scope === 'group' && groupId === null],
    ['affiliateId', scope === 'affiliate' && affiliateId === null],
  ];
  return empty.flatMap(([field, isEmpty]) => (isEmpty ? [field] : []));
}

/** The rule that the form describes. */
function toRule({ name, kind, rate, amountCents, scope, groupId, affiliateId }: Values) {
  return {
    name,
    event: kind === 'lead' ? ('lead' as const) : ('sale' as const),
    type: kind === 'percentage' ? ('percentage' as const) : ('flat' as const),
    rate: kind === 'percentage' ? rate : null,
    amountCents: kind === 'percentage' ? null : amountCents,
    groupId: scope === 'group' ? groupId : null,
    affiliateId: scope === 'affiliate' ? affiliateId : null,
  };
}

/** The rule as it is simulated, even before it has a name; null while something else is missing. */
function toDraft(values: Values, name: string): RuleChange | null {
  const named = Object.assign({}, values, { name: values.name.trim() || name });
  return findMissing(named).length > 0 ? null : { add: [toRule(named)] };
}

export function CreateSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('rules');
  const { id: programId } = useProgram();
  const id = useId();
  const form = useForm<Values>(empty);
  const create = useAction('commissionRules.create', { invalidates: ['commissionRules.list', 'affiliates.rates'] });
  const close = () => {
    form.reset(empty);
    onClose();
  };
  const showMissing = (fields: readonly (keyof Values)[]) =>
    form.setProblem({ message: '', details: fields.map((field) => ({ path: [field], message: 'is required' })) });
  const submit = () => {
    const missing = findMissing(form.values);
    if (missing.length > 0) return showMissing(missing);
    create.mutate(
      { path: { programId }, body: toRule(form.values) },
      {
        onSuccess: ({ name }) => {
          showToast(t('created', { name }));
          close();
        },
        onError: (error) => {
          if (error instanceof RequestError) form.setProblem({ message: error.message, details: error.details ?? [] });
        },
      },
    );
  };
  return (
    <Sheet
      isOpen={isOpen}
      onClose={close}
      title={t('createTitle')}
      hasChanges={form.hasChanges}
      footer={
        <Button kind="primary" type="submit" form={id} icon="plus" isBusy={create.isPending}>
          {t('create')}
        </Button>
      }
    >
      <Stack gap={24}>
        <Form form={form} id={id} onSubmit={submit}>
          <TextInput {...form.field('name')} label={t('field.name')} help={t('field.nameHelp')} maxLength={200} hasAutoFocus isRequired />
          <Amount form={form} />
          <Scope form={form} />
        </Form>
        {form.values.kind === 'lead' ? null : (
          <Simulation
            change={toDraft(form.values, t('simulation.draft'))}
            onIncomplete={() => showMissing(findMissing(form.values).filter((field) => field !== 'name'))}
          />
        )}
      </Stack>
    </Sheet>
  );
}

type Part = { form: FormState<Values> };

function Amount({ form }: Part) {
  const { t } = useTranslation('rules');
  const { currency } = useProgram();
  const { kind } = form.values;
  return (
    <Stack gap={12}>
      <span className={styles.legend}>{t('field.kind')}</span>
      <Segments
        label={t('field.kind')}
        tabs={kinds.map((each) => ({ id: each, label: t(`kind.${each}`) }))}
        value={kind}
        onChange={(next) => form.setValues({ kind: next })}
      />
      {kind === 'percentage' ? (
        <RateInput {...form.field('rate')} label={t('field.rate')} />
      ) : (
        <MoneyInput
          {...form.field('amountCents')}
          label={t('field.amount')}
          currency={currency}
          unit={t(kind === 'lead' ? 'unit.lead' : 'unit.order')}
          help={kind === 'lead' ? t('field.leadHelp') : undefined}
        />
      )}
    </Stack>
  );
}

function Scope({ form }: Part) {
  const { t } = useTranslation('rules');
  const { id: programId } = useProgram();
  const { scope } = form.values;
  const groups = useRead('groups.list', { path: { programId }, query: { limit: 100, status: ['active'] } }, { enabled: scope === 'group' });
  return (
    <Stack gap={12}>
      <span className={styles.legend}>{t('field.scope')}</span>
      <Segments
        label={t('field.scope')}
        tabs={scopes.map((each) => ({ id: each, label: t(`scope.${each}`) }))}
        value={scope}
        onChange={(next) => form.setValues({ scope: next })}
      />
      {scope === 'group' ? (
        <Select
          {...form.field('groupId')}
          label={t('scope.group')}
          options={groups.data?.groups.map(({ id, name }) => ({ value: id, label: name })) ?? []}
        />
      ) : null}
      {scope === 'affiliate' ? <AffiliateSelect {...form.field('affiliateId')} label={t('scope.affiliate')} current={null} /> : null}
      <Text size="small">{t('precedence')}</Text>
    </Stack>
  );
}
