// Someone else changed the same fields while a form was open: who and when, both versions, and which one to go on with.
import { useTranslation } from 'react-i18next';
import { useProgram } from '../../session/program.ts';
import { Button } from '../../ui/controls/button.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { formatNear } from '../../ui/figures/dates.ts';
import { formatMoney } from '../../ui/figures/format.ts';
import { Facts } from '../../ui/layout/card.tsx';
import { Row, Stack } from '../../ui/layout/stack.tsx';
import { Notice } from '../../ui/states/problem.tsx';
import { findChanges } from './merge.ts';
import type { Edit } from './use-edit.ts';

export type FieldTexts<Stored, Values> = {
  labels: { [Name in keyof Values]: string };
  /** The text of a value that is not shown as it is, such as a choice. Undefined: as it is. */
  show?: ((name: keyof Values & string, values: Values, stored: Stored | null) => string | undefined) | undefined;
};

export type StaleEdit<Stored, Values extends object> = FieldTexts<Stored, Values> & {
  edit: Edit<Stored, Values>;
  toValues: (stored: Stored) => Values;
};

export function StaleNotice<Stored, Values extends object>({ edit, toValues, labels, show }: StaleEdit<Stored, Values>) {
  const { t } = useTranslation('edits');
  const figures = useFigures();
  const toText = useValueText();
  const { conflict, base, form, resolve } = edit;
  if (conflict === null) return null;
  const { current, changedBy, changedAt } = conflict;
  const [mine, theirs] = [form.values, toValues(current)];
  const textOf = (name: keyof Values & string, values: Values, stored: Stored | null) =>
    show?.(name, values, stored) ?? toText(name, values[name]);
  const rows = findChanges(toValues(base), theirs).map((name) => ({
    label: labels[name],
    value: t('both', { theirs: textOf(name, theirs, current), mine: textOf(name, mine, null) }),
  }));
  const when = changedAt === null ? '' : formatNear(changedAt, figures.now, figures);
  return (
    <div role="alert">
      <Notice tone="held" icon="warning" title={t('stale', { name: changedBy ?? t('someone'), when })}>
        <Stack gap={12}>
          <Facts rows={rows} />
          <Row>
            <Button size="small" onClick={() => resolve('theirs')}>
              {t('takeTheirs')}
            </Button>
            <Button size="small" onClick={() => resolve('mine')}>
              {t('keepMine')}
            </Button>
          </Row>
        </Stack>
      </Notice>
    </div>
  );
}

/** A value as the form shows it: amounts with their currency, lists in a line. */
function useValueText(): (name: string, value: unknown) => string {
  const { t } = useTranslation('edits');
  const { currency } = useProgram();
  const { language } = useFigures();
  return (name, value) => {
    if (value === null || value === '') return '–';
    if (typeof value === 'boolean') return t(value ? 'on' : 'off');
    if (typeof value === 'number' && name.endsWith('Cents')) return formatMoney(value, currency, language);
    if (Array.isArray(value)) return value.length === 0 ? '–' : value.join(', ');
    return String(value).replaceAll('\n', ', ');
  };
}
