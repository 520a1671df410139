// Sets where the affiliate is paid, in two steps: the method, then its account. The user confirms their identity first.
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useAction } from '../../api/queries.ts';
import { useRecentSignIn } from '../../interventions/use-step-up.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Form, type FormState, useForm } from '../../ui/form/form.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Text } from '../../ui/layout/stack.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { useAccount } from '../session/account.ts';
import { emptyValues, type Method, toDestination, type Values } from './destination.ts';
import { MethodFields } from './MethodFields.tsx';
import styles from './payout-details.module.css';

type Details = Result<'portal.payoutDetails'>;

export function EditSheet({ details, onClose }: { details: Details; onClose: () => void }) {
  const { t } = useTranslation('portal-payout-details');
  const id = useId();
  const { methods } = details;
  const [only] = methods.length === 1 ? methods : [];
  const [method, setMethod] = useState<Method | null>(only ?? null);
  const form = useForm<Values>(emptyValues(details.currency));
  // Only Wise pays both, and it asks for the address of holders in the US.
  const needsAddress = methods.includes('wise');
  useRecentSignIn(true, onClose);
  const { save, isSaving } = useSave({ method, form, needsAddress, onClose });
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={t(method === null ? 'edit.choose' : `method.${method}.title`)}
      hasChanges={form.hasChanges}
      footer={
        method === null ? undefined : (
          <>
            {only === undefined ? <Button onClick={() => setMethod(null)}>{t('edit.back')}</Button> : null}
            <Button kind="primary" type="submit" form={id} isBusy={isSaving}>
              {t('edit.save')}
            </Button>
          </>
        )
      }
    >
      {method === null ? (
        <Methods methods={methods} onChoose={setMethod} />
      ) : (
        <Form form={form} id={id} onSubmit={save}>
          <MethodFields method={method} form={form} needsAddress={needsAddress} />
          {details.method === null ? null : <Text>{t('edit.changeNote', { hours: details.waitHours })}</Text>}
        </Form>
      )}
    </Sheet>
  );
}

function Methods({ methods, onChoose }: { methods: readonly Method[]; onChoose: (method: Method) => void }) {
  const { t } = useTranslation('portal-payout-details');
  return (
    <ul className={styles.methods}>
      {methods.map((method) => (
        <li key={method}>
          <button type="button" className={styles.method} onClick={() => onChoose(method)}>
            <span className={styles.methodText}>
              <span className={styles.methodName}>{t(`method.${method}.name`)}</span>
              <span className={styles.methodDetail}>{t(`method.${method}.text`)}</span>
            </span>
            <Icon name="chevronRight" size={18} />
          </button>
        </li>
      ))}
    </ul>
  );
}

type Saving = { method: Method | null; form: FormState<Values>; needsAddress: boolean; onClose: () => void };

function useSave({ method, form, needsAddress, onClose }: Saving) {
  const { t } = useTranslation('portal-payout-details');
  const { programId } = useAccount();
  const set = useAction('portal.setPayoutDetails', { invalidates: ['portal.payoutDetails', 'portal.home'] });
  const save = () => {
    if (method === null) return;
    set.mutate(
      { path: { programId }, body: toDestination(method, form.values, needsAddress) },
      {
        onSuccess: () => {
          showToast(t('edit.saved'));
          onClose();
        },
        onError: form.setProblem,
      },
    );
  };
  return { save, isSaving: set.isPending };
}
