// Someone else changed the affiliate while this form was open: who and when, both versions, and which one to go on with.
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/controls/button.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { formatNear } from '../../../ui/figures/dates.ts';
import { Facts } from '../../../ui/layout/card.tsx';
import { Row, Stack } from '../../../ui/layout/stack.tsx';
import { Notice } from '../../../ui/states/problem.tsx';
import type { Details } from './details.ts';
import { type EditValues, findChanges, toValues } from './edit-values.ts';

export type Conflict = { current: Details; changedBy: string | null; changedAt: string | null };

type Props = { conflict: Conflict; base: Details; mine: EditValues; onKeepMine: () => void; onTakeTheirs: () => void };

export function StaleNotice({ conflict: { current, changedBy, changedAt }, base, mine, onKeepMine, onTakeTheirs }: Props) {
  const { t } = useTranslation('affiliate');
  const figures = useFigures();
  const theirs = toValues(current);
  const name = changedBy ?? t('edit.someone');
  const when = changedAt === null ? '' : formatNear(changedAt, figures.now, figures);
  const textOf = (field: keyof EditValues, values: EditValues, group: string | undefined): string => {
    if (field === 'groupId') return group ?? (values.groupId === null ? t('noGroup') : t('edit.otherGroup'));
    const value = values[field];
    return value === null || value === '' ? '–' : String(value);
  };
  const rows = findChanges(toValues(base), theirs).map((field) => ({
    label: t(field.startsWith('override') ? 'edit.override' : `field.${field as 'firstName'}`),
    value: t('edit.both', { theirs: textOf(field, theirs, current.group?.name), mine: textOf(field, mine, undefined) }),
  }));
  return (
    <div role="alert">
      <Notice tone="held" icon="warning" title={t('edit.stale', { name, when })}>
        <Stack gap={12}>
          <Facts rows={rows} />
          <Row>
            <Button size="small" onClick={onTakeTheirs}>
              {t('edit.takeTheirs')}
            </Button>
            <Button size="small" onClick={onKeepMine}>
              {t('edit.keepMine')}
            </Button>
          </Row>
        </Stack>
      </Notice>
    </div>
  );
}
