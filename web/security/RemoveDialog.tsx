import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RequestError } from '../api/errors.ts';
import { useAction } from '../api/queries.ts';
import { Dialog } from '../dialog/Dialog.tsx';
import { Button } from '../ui/controls/button.tsx';
import { TextInput } from '../ui/form/fields.tsx';
import { Text } from '../ui/layout/stack.tsx';
import { showToast } from '../ui/overlay/toasts.tsx';
import styles from './security.module.css';

type Props = { isOpen: boolean; onClose: () => void };

/** Removing the app requires a code from it, so that an open session isn't enough. */
export function RemoveDialog({ isOpen, onClose }: Props) {
  const { t } = useTranslation('security');
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const remove = useAction('secondFactor.delete', { invalidates: ['secondFactor.get'] });
  const close = () => {
    setCode('');
    setProblem(null);
    onClose();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await remove.mutateAsync({ body: { code } });
      showToast(t('app.removed'));
      close();
    } catch (error) {
      setProblem(error instanceof RequestError && error.code !== 'wrong_code' ? error.message : t('app.wrongCode'));
    }
  };
  return (
    <Dialog isOpen={isOpen} onClose={close} label={t('app.removeTitle')}>
      <form className={styles.dialog} onSubmit={(event) => void submit(event)}>
        <h2>{t('app.removeTitle')}</h2>
        <Text>{t('app.removeText')}</Text>
        <TextInput label={t('app.codeOrRecovery')} value={code} onChange={setCode} error={problem} maxLength={40} isMono hasAutoFocus />
        <div className={styles.buttons}>
          <Button onClick={close}>{t('cancel')}</Button>
          <Button kind="danger" type="submit" isBusy={remove.isPending}>
            {t('app.remove')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
