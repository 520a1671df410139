// The open question. ../confirm.tsx loads this file on demand.
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import { Modal } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../controls/button.tsx';
import { TextInput } from '../../form/fields.tsx';
import { useReducedMotion } from '../../layout/use-media.ts';
import type { ConfirmProps } from '../confirm-props.ts';
import styles from '../overlay.module.css';
import { useEscape } from '../use-escape.ts';

export function ConfirmPanel({
  isOpen,
  onClose,
  title,
  text,
  action,
  kind = 'danger',
  typedName,
  isBusy = false,
  onConfirm,
}: ConfirmProps) {
  const { t } = useTranslation('ui');
  const isStill = useReducedMotion();
  const [typed, setTyped] = useState('');
  useEscape(isOpen, onClose);
  const isReady = typedName === undefined || typed.trim() === typedName;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (isReady) onConfirm();
  };
  return (
    <Modal.Root
      opened={isOpen}
      onClose={onClose}
      closeOnEscape={false}
      centered
      classNames={{ content: styles.confirm ?? '' }}
      size={440}
      transitionProps={{ duration: isStill ? 0 : 120, transition: 'fade' }}
      onExitTransitionEnd={() => setTyped('')}
    >
      <Modal.Overlay />
      {/* The library names it by its title only after it is shown. */}
      <Modal.Content aria-label={title}>
        <form onSubmit={submit}>
          <Modal.Title className={styles.confirmTitle}>{title}</Modal.Title>
          {text === undefined ? null : <div className={styles.confirmText}>{text}</div>}
          {typedName === undefined ? null : (
            <TextInput label={t('confirm.type', { name: typedName })} value={typed} onChange={setTyped} hasAutoFocus />
          )}
          <div className={styles.confirmButtons}>
            <Button onClick={onClose}>{t('confirm.cancel')}</Button>
            <Button kind={kind} type="submit" disabled={!isReady} isBusy={isBusy} data-autofocus={typedName === undefined || undefined}>
              {action}
            </Button>
          </div>
        </form>
      </Modal.Content>
    </Modal.Root>
  );
}
