// The two decisions at the bottom of an item: A approves, R asks for a note first, which Ctrl or ⌘ with Enter submits.
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/controls/button.tsx';
import { TextArea } from '../../../ui/form/fields.tsx';
import { Kbd } from '../../../ui/marks/kbd.tsx';
import { useShortcut } from '../../shortcuts/use-shortcut.ts';
import styles from '../review.module.css';

type Approval = {
  label: string;
  run: () => void;
  /** What approving changes, above the buttons. */
  effect?: string;
  /** Why it isn't possible. */
  obstacle?: string | undefined;
};

type Rejection = {
  label: string;
  prompt: string;
  help: string;
  submit: string;
  maxLength: number;
  effect?: ReactNode;
  run: (note: string) => void;
};

type Props = {
  approve: Approval;
  reject: Rejection;
  isAllowed: boolean;
  isBusy: boolean;
  /** What the server said about the note. */
  noteError?: string | undefined;
  /** Above the buttons. */
  children?: ReactNode;
  /** Below the note while it is written. */
  preview?: ((note: string) => ReactNode) | undefined;
};

export function Decisions({ approve, reject, isAllowed, isBusy, noteError, children, preview }: Props) {
  const { t } = useTranslation('review');
  const [isWriting, setIsWriting] = useState(false);
  const canApprove = isAllowed && !isBusy && approve.obstacle === undefined;
  const note = approve.obstacle ?? approve.effect;
  useShortcut({ keys: 'a', label: t('approveKey'), isEnabled: canApprove, run: approve.run });
  useShortcut({ keys: 'r', label: t('rejectKey'), isEnabled: isAllowed && !isBusy, run: () => setIsWriting(true) });
  if (!isAllowed) return <p className={styles.forbidden}>{t('forbidden')}</p>;
  return (
    <div className={styles.decisions}>
      {children}
      {isWriting ? (
        <NoteForm reject={reject} isBusy={isBusy} error={noteError} preview={preview} onCancel={() => setIsWriting(false)} />
      ) : (
        <>
          {note === undefined ? null : <p className={styles.effect}>{note}</p>}
          <div className={styles.buttons}>
            <Button keys="r" isBusy={isBusy} onClick={() => setIsWriting(true)}>
              {reject.label}
            </Button>
            <Button kind="primary" keys="a" isBusy={isBusy} disabled={approve.obstacle !== undefined} onClick={approve.run}>
              {approve.label}
            </Button>
          </div>
        </>
      )}
    </div>
  );
}

type NoteProps = Pick<Props, 'reject' | 'isBusy' | 'preview'> & { error: string | undefined; onCancel: () => void };

function NoteForm({ reject, isBusy, error, preview, onCancel }: NoteProps) {
  const { t } = useTranslation('review');
  const [note, setNote] = useState('');
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('textarea')?.focus(), []);
  const submit = () => reject.run(note.trim());
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onCancel();
    else if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey) || isBusy) return;
    else submit();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <form
      ref={form}
      className={styles.note}
      onKeyDown={press}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextArea
        label={reject.prompt}
        help={reject.help}
        error={error}
        value={note}
        onChange={setNote}
        maxLength={reject.maxLength}
        rows={3}
      />
      {reject.effect === undefined ? null : <p className={styles.effect}>{reject.effect}</p>}
      {preview?.(note)}
      <div className={styles.buttons}>
        <Button onClick={onCancel}>{t('cancel')}</Button>
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {reject.submit} <Kbd keys="mod+enter" on="river" />
        </Button>
      </div>
    </form>
  );
}
