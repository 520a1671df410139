// Submits a tax form in two steps: which form, then its fields. The user confirms their identity first.
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../api/queries.ts';
import { useRecentSignIn } from '../../interventions/use-step-up.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Form, useForm } from '../../ui/form/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Stack, Text } from '../../ui/layout/stack.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { useAccount } from '../session/account.ts';
import { FormFields } from './FormFields.tsx';
import { emptyValues, type Kind, kinds, toBody, type Values } from './form.ts';
import styles from './tax-form.module.css';

export function EditSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('portal-tax-form');
  const { programId } = useAccount();
  const id = useId();
  const [kind, setKind] = useState<Kind | null>(null);
  const form = useForm<Values>(emptyValues);
  useRecentSignIn(true, onClose);
  const submit = useAction('portal.submitTaxForm', { invalidates: ['portal.taxForm', 'portal.home'] });
  const save = () => {
    if (kind === null) return;
    submit.mutate(
      { path: { programId }, body: toBody(kind, form.values) },
      {
        onSuccess: () => {
          showToast(t('edit.saved'));
          onClose();
        },
        onError: form.setProblem,
      },
    );
  };
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t(kind === null ? 'edit.choose' : `kind.${kind}.name`)}
      hasChanges={form.hasChanges}
      footer={
        kind === null ? undefined : (
          <>
            <Button onClick={() => setKind(null)}>{t('edit.back')}</Button>
            <Button kind="primary" type="submit" form={id} isBusy={submit.isPending}>
              {t('edit.save')}
            </Button>
          </>
        )
      }
    >
      {kind === null ? (
        <Kinds onChoose={setKind} />
      ) : (
        <Form form={form} id={id} onSubmit={save}>
          <FormFields kind={kind} form={form} />
        </Form>
      )}
    </Sheet>
  );
}

function Kinds({ onChoose }: { onChoose: (kind: Kind) => void }) {
  const { t } = useTranslation('portal-tax-form');
  return (
    <Stack gap={16}>
      <Text>{t('edit.help')}</Text>
      <ul className={styles.kinds}>
        {kinds.map((kind) => (
          <li key={kind}>
            <button type="button" className={styles.kind} onClick={() => onChoose(kind)}>
              <span className={styles.kindText}>
                <span className={styles.kindName}>{t(`kind.${kind}.who`)}</span>
                <span className={styles.kindDetail}>{t(`kind.${kind}.name`)}</span>
              </span>
              <Icon name="chevronRight" size={18} />
            </button>
          </li>
        ))}
      </ul>
    </Stack>
  );
}
