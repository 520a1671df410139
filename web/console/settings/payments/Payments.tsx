// When commissions become payable, and what protects payouts.
import { useTranslation } from 'react-i18next';
import type { FieldTexts } from '../../../states/edit/StaleNotice.tsx';
import { currencyCodes } from '../../../ui/figures/currencies.gen.ts';
import { MoneyInput, RateInput } from '../../../ui/form/amounts.tsx';
import { FieldRow, type FormState } from '../../../ui/form/form.tsx';
import { WholeNumberInput } from '../../../ui/form/numbers.tsx';
import { MultiSelect, Select } from '../../../ui/form/select.tsx';
import { Text } from '../../../ui/layout/stack.tsx';
import { PendingChanges } from '../form/PendingChanges.tsx';
import { ProgramScreen } from '../form/ProgramScreen.tsx';
import { FieldCard, SettingsForm } from '../form/SettingsForm.tsx';
import { type Program, useProgramForm } from '../form/use-program-form.ts';

type Values = Pick<
  Program,
  | 'minimumPayoutCents'
  | 'payoutApprovalCents'
  | 'scheduledPayoutLimitCents'
  | 'commissionCapPercent'
  | 'flatRefunds'
  | 'payoutCurrencies'
  | 'taxForms'
  | 'holdDays'
>;
/** Numbers are null while their fields are empty. */
type Typed = {
  [Name in keyof Values]: Values[Name] extends number ? number | null : Values[Name] extends string[] ? readonly string[] : Values[Name];
};

export function Screen() {
  const { t } = useTranslation('settings');
  return (
    <ProgramScreen title={t('paymentsTitle')} lede={t('payments.lede')}>
      {(program) => <Settings program={program} />}
    </ProgramScreen>
  );
}

function Settings({ program }: { program: Program }) {
  const texts = useFieldTexts();
  const { form, save, isBusy, stale } = useProgramForm<Typed>(program, { toValues, toUpdate, texts });
  const part = { form, currency: program.currency };
  return (
    <SettingsForm form={form} onSubmit={save} isBusy={isBusy} stale={stale}>
      <PendingChanges program={program} fields={['payoutApprovalCents', 'scheduledPayoutLimitCents', 'taxForms', 'contactEmail']} />
      <Commissions {...part} />
      <Payouts {...part} isGuarded={program.payoutApprovalCents !== null} />
    </SettingsForm>
  );
}

type Part = { form: FormState<Typed>; currency: string };

function Commissions({ form }: Part) {
  const { t } = useTranslation('settings');
  return (
    <FieldCard title={t('payments.commissions')}>
      <FieldRow>
        <WholeNumberInput {...form.field('holdDays')} label={t('payments.hold')} help={t('payments.holdHelp')} unit={t('unit.days')} />
        <RateInput {...form.field('commissionCapPercent')} label={t('payments.cap')} help={t('payments.capHelp')} />
      </FieldRow>
      <Select
        {...form.field('flatRefunds')}
        label={t('payments.flatRefunds')}
        help={t('payments.flatRefundsHelp')}
        options={(['pro_rata', 'keep'] as const).map((value) => ({ value, label: t(`payments.flat.${value}`) }))}
      />
    </FieldCard>
  );
}

function Payouts({ form, currency, isGuarded }: Part & { isGuarded: boolean }) {
  const { t } = useTranslation('settings');
  return (
    <FieldCard title={t('payments.payouts')}>
      <FieldRow>
        <MoneyInput
          {...form.field('minimumPayoutCents')}
          label={t('payments.minimum')}
          help={t('payments.minimumHelp')}
          currency={currency}
        />
        <MoneyInput {...form.field('payoutApprovalCents')} label={t('payments.limit')} help={t('payments.limitHelp')} currency={currency} />
      </FieldRow>
      <MoneyInput
        {...form.field('scheduledPayoutLimitCents')}
        label={t('payments.scheduled')}
        help={t('payments.scheduledHelp')}
        currency={currency}
      />
      <MultiSelect
        {...form.field('payoutCurrencies')}
        label={t('payments.currencies')}
        help={t('payments.currenciesHelp')}
        options={currencyCodes.filter((code) => code !== currency).map((value) => ({ value, label: value }))}
      />
      <Select
        {...form.field('taxForms')}
        label={t('payments.taxForms')}
        help={t('payments.taxFormsHelp')}
        options={(['off', 'required'] as const).map((value) => ({ value, label: t(`payments.tax.${value}`) }))}
      />
      <Text size="small">{t(isGuarded ? 'payments.guarded' : 'payments.unguarded')}</Text>
    </FieldCard>
  );
}

/** The names of fields and values in a conflict. */
function useFieldTexts(): FieldTexts<Program, Typed> {
  const { t } = useTranslation('settings');
  return {
    labels: {
      minimumPayoutCents: t('payments.minimum'),
      payoutApprovalCents: t('payments.limit'),
      scheduledPayoutLimitCents: t('payments.scheduled'),
      commissionCapPercent: t('payments.cap'),
      flatRefunds: t('payments.flatRefunds'),
      payoutCurrencies: t('payments.currencies'),
      taxForms: t('payments.taxForms'),
      holdDays: t('payments.hold'),
    },
    show: (name, { flatRefunds, taxForms, payoutCurrencies }) => {
      if (name === 'payoutCurrencies') return payoutCurrencies.join(', ');
      if (name === 'flatRefunds') return t(`payments.flat.${flatRefunds}`);
      return name === 'taxForms' ? t(`payments.tax.${taxForms}`) : undefined;
    },
  };
}

function toValues(program: Program): Typed {
  return {
    minimumPayoutCents: program.minimumPayoutCents,
    payoutApprovalCents: program.payoutApprovalCents,
    scheduledPayoutLimitCents: program.scheduledPayoutLimitCents,
    commissionCapPercent: program.commissionCapPercent,
    flatRefunds: program.flatRefunds,
    payoutCurrencies: program.payoutCurrencies,
    taxForms: program.taxForms,
    holdDays: program.holdDays,
  };
}

/** An empty number is sent as it is: the server says which fields need one. */
function toUpdate(values: Typed): Values {
  return values as Values;
}
