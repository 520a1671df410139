import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RequestError } from '../api/errors.ts';
import { useAction } from '../api/queries.ts';
import { Dialog } from '../dialog/Dialog.tsx';
import { Button } from '../ui/controls/button.tsx';
import { useProblemText } from '../ui/form/fault-text.ts';
import { TextInput } from '../ui/form/fields.tsx';
import styles from './security.module.css';

type Props = { isOpen: boolean; onClose: () => void; passkey: { id: string; name: string } };

export function RenameDialog({ isOpen, onClose, passkey }: Props) {
  const { t } = useTranslation('security');
  const problemText = useProblemText();
  const [name, setName] = useState(passkey.name);
  const [problem, setProblem] = useState<string | null>(null);
  const rename = useAction('passkeys.update', { invalidates: ['passkeys.list'] });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await rename.mutateAsync({ path: { passkeyId: passkey.id }, body: { name } });
      onClose();
    } catch (error) {
      setProblem(error instanceof RequestError ? problemText(error) : t('failed'));
    }
  };
  return (
    <Dialog isOpen={isOpen} onClose={onClose} label={t('passkeys.renameTitle')}>
      <form className={styles.dialog} onSubmit={(event) => void submit(event)}>
        <h2>{t('passkeys.renameTitle')}</h2>
        <TextInput label={t('passkeys.name')} value={name} onChange={setName} error={problem} maxLength={60} hasAutoFocus />
        <div className={styles.buttons}>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button kind="primary" type="submit" isBusy={rename.isPending}>
            {t('passkeys.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
