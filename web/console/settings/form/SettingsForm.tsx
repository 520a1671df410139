// The frame of a form of the settings: its cards, and a bar that stays within reach while there is something to save.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type StaleEdit, StaleNotice } from '../../../states/edit/StaleNotice.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Form, type FormState } from '../../../ui/form/form.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Stack } from '../../../ui/layout/stack.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import styles from './settings-form.module.css';

type Props<Stored, Values extends object> = {
  form: FormState<Values>;
  onSubmit: () => void;
  isBusy: boolean;
  /** What to show when someone else changed the same fields. */
  stale?: StaleEdit<Stored, Values>;
  /** Shows what the settings do, next to the form where there is room. */
  aside?: ReactNode;
  children: ReactNode;
};

export function SettingsForm<Stored, Values extends object>({ form, onSubmit, isBusy, stale, aside, children }: Props<Stored, Values>) {
  const { t } = useTranslation('settings');
  const body = (
    <Form form={form} onSubmit={onSubmit}>
      <Stack gap={20}>
        {stale ? <StaleNotice {...stale} /> : null}
        {children}
      </Stack>
      <div className={styles.bar} data-changed={form.hasChanges || undefined}>
        <span role="status">{form.hasChanges ? t('unsaved') : ''}</span>
        <Button kind="primary" type="submit" keys="mod+s" isBusy={isBusy} disabled={stale?.edit.conflict != null}>
          {t('save')}
        </Button>
      </div>
    </Form>
  );
  if (aside === undefined) return body;
  return (
    <div className={styles.columns}>
      {body}
      <aside className={styles.aside}>{aside}</aside>
    </div>
  );
}

/** A card of fields below each other. */
export function FieldCard({ title, detail, children }: { title: string; detail?: ReactNode; children: ReactNode }) {
  return (
    <Card title={title} detail={detail}>
      <Stack gap={16}>{children}</Stack>
    </Card>
  );
}

/** What a form of the settings looks like while it loads. */
export function SettingsSkeleton() {
  return (
    <Stack gap={20}>
      <Card>
        <SkeletonText lines={6} />
      </Card>
      <Card>
        <SkeletonText lines={4} />
      </Card>
    </Stack>
  );
}
