// The fields of a commission rule: what it pays, to whom and for what; further terms are added as they are needed.
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { MoneyInput, RateInput } from '../../../ui/form/amounts.tsx';
import { TextInput } from '../../../ui/form/fields.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { Row, Stack, Text } from '../../../ui/layout/stack.tsx';
import { Segments } from '../../../ui/layout/tabs.tsx';
import { AffiliateSelect } from '../../affiliates/AffiliateSelect.tsx';
import styles from '../rules.module.css';
import type { RuleFormState } from './form-type.ts';
import { ProductSelect } from './ProductSelect.tsx';
import { PartFields } from './parts.tsx';
import { earners, findMissing, isUsed, items, kinds, type Part, partsOf, scopes, withoutPart } from './rule-values.ts';

type Props = {
  form: RuleFormState;
  id: string;
  /** Called with a complete form only. */
  onSubmit: () => void;
  /** The affiliate that the rule is for, so that the name is shown before anything is searched. */
  affiliate?: { id: string; name: string } | null;
};

export function RuleForm({ form, id, onSubmit, affiliate = null }: Props) {
  const { t } = useTranslation('rules');
  const [opened, setOpened] = useState<readonly Part[]>([]);
  const possible = partsOf(form.values);
  const shown = possible.filter((part) => opened.includes(part) || isUsed(form.values, part));
  const remove = (part: Part) => {
    form.setValues(withoutPart(part));
    setOpened((current) => current.filter((each) => each !== part));
  };
  const submit = () => {
    const missing = findMissing(form.values);
    if (missing.length === 0) return onSubmit();
    form.setMissing(missing);
  };
  return (
    <Form form={form} id={id} onSubmit={submit}>
      <TextInput {...form.field('name')} label={t('field.name')} help={t('field.nameHelp')} maxLength={200} hasAutoFocus isRequired />
      <Amount form={form} />
      <Scope form={form} affiliate={affiliate} />
      {form.values.kind === 'lead' ? null : <Items form={form} />}
      {shown.map((part) => (
        <PartSection key={part} title={t(`part.${part}`)} onRemove={() => remove(part)}>
          <PartFields part={part} form={form} />
        </PartSection>
      ))}
      {shown.length === possible.length ? null : (
        <Choice legend={t('part.add')}>
          <Row>
            {possible
              .filter((part) => !shown.includes(part))
              .map((part) => (
                <Button key={part} size="small" icon="plus" onClick={() => setOpened((current) => [...current, part])}>
                  {t(`part.${part}`)}
                </Button>
              ))}
          </Row>
        </Choice>
      )}
    </Form>
  );
}

function Choice({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <Stack gap={12}>
      <span className={styles.legend}>{legend}</span>
      {children}
    </Stack>
  );
}

function PartSection({ title, onRemove, children }: { title: string; onRemove: () => void; children: ReactNode }) {
  const { t } = useTranslation('rules');
  return (
    <fieldset className={styles.part}>
      <legend className={styles.legend}>{title}</legend>
      <Stack gap={12}>{children}</Stack>
      <Row>
        <Button size="small" kind="quiet" icon="minus" onClick={onRemove}>
          {t('part.remove', { part: title })}
        </Button>
      </Row>
    </fieldset>
  );
}

function Amount({ form }: { form: RuleFormState }) {
  const { t } = useTranslation('rules');
  const { currency } = useProgram();
  const { kind, earner } = form.values;
  const unit = { percentage: 'order', flat: 'order', unit: 'item', lead: 'lead' } as const;
  return (
    <>
      <Choice legend={t('field.kind')}>
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
            unit={t(`unit.${unit[kind]}`)}
            help={kind === 'lead' ? t('field.leadHelp') : undefined}
          />
        )}
      </Choice>
      <Choice legend={t('field.earner')}>
        <Segments
          label={t('field.earner')}
          tabs={earners.map((each) => ({ id: each, label: t(`earner.${each}`) }))}
          value={earner}
          onChange={(next) => form.setValues({ earner: next })}
        />
        {earner === 'upline' && kind === 'percentage' ? (
          <Segments
            label={t('field.basis')}
            tabs={(['order', 'commission'] as const).map((each) => ({ id: each, label: t(`basis.${each}`) }))}
            value={form.values.basis}
            onChange={(next) => form.setValues({ basis: next })}
          />
        ) : null}
      </Choice>
    </>
  );
}

function Scope({ form, affiliate }: { form: RuleFormState; affiliate: { id: string; name: string } | null }) {
  const { t } = useTranslation('rules');
  const { id: programId } = useProgram();
  const { scope } = form.values;
  const groups = useRead('groups.list', { path: { programId }, query: { limit: 100, status: ['active'] } }, { enabled: scope === 'group' });
  return (
    <Choice legend={t('field.scope')}>
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
      {scope === 'affiliate' ? <AffiliateSelect {...form.field('affiliateId')} label={t('scope.affiliate')} current={affiliate} /> : null}
      <Text size="small">{t('precedence')}</Text>
    </Choice>
  );
}

function Items({ form }: { form: RuleFormState }) {
  const { t } = useTranslation('rules');
  const { item } = form.values;
  return (
    <Choice legend={t('field.items')}>
      <Segments
        label={t('field.items')}
        tabs={items.map((each) => ({ id: each, label: t(`item.${each}`) }))}
        value={item}
        onChange={(next) => form.setValues({ item: next })}
      />
      {item === 'product' ? <ProductSelect {...form.field('productId')} label={t('item.product')} /> : null}
      {item === 'category' ? (
        <TextInput {...form.field('category')} label={t('item.category')} help={t('item.categoryHelp')} maxLength={100} />
      ) : null}
    </Choice>
  );
}
