// Toasts at the bottom left. They stay while hovered or focused, and ⌘Z undoes the latest.
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../controls/button.tsx';
import { Icon } from '../icons.tsx';
import { Kbd } from '../marks/kbd.tsx';
import { closeToast, onToasts, openToasts, type Toast, toastSeconds, undoLatest, undoToast } from './toast-store.ts';
import styles from './toasts.module.css';

export { showToast } from './toast-store.ts';

/** The place where toasts appear; part of UiProvider. */
export function ToastRegion() {
  const toasts = useSyncExternalStore(onToasts, openToasts);
  const { t } = useTranslation('ui');
  useEffect(() => {
    const undo = (event: KeyboardEvent) => {
      if (event.key !== 'z' || !(event.metaKey || event.ctrlKey) || event.shiftKey || isEditing(event.target)) return;
      if (undoLatest()) event.preventDefault();
    };
    document.addEventListener('keydown', undo);
    return () => document.removeEventListener('keydown', undo);
  }, []);
  return (
    <section className={styles.region} aria-label={t('toast.region')}>
      <ol aria-live="polite" aria-relevant="additions">
        {toasts.map((toast) => (
          <ToastLine key={toast.id} toast={toast} />
        ))}
      </ol>
    </section>
  );
}

function ToastLine({ toast }: { toast: Toast }) {
  const { t } = useTranslation('ui');
  const [isHeld, setIsHeld] = useState(false);
  // A pointer that rests where the toast appears also enters it, but doesn't keep it open: it may rest there for hours.
  const entered = useRef('');
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => closeToast(toast.id), toastSeconds(toast) * 1000);
    return () => clearTimeout(timer);
  }, [isHeld, toast]);
  return (
    <li
      className={styles.toast}
      data-tone={toast.tone}
      onPointerEnter={(event) => (entered.current = `${event.clientX} ${event.clientY}`)}
      onPointerMove={(event) => entered.current !== `${event.clientX} ${event.clientY}` && setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <Icon name={toast.icon} size={18} />
      <span className={styles.text}>{toast.text}</span>
      {toast.action ? (
        <button type="button" className={styles.action} onClick={() => runAction(toast)}>
          {toast.action.label}
        </button>
      ) : null}
      {toast.onUndo ? (
        <button type="button" className={styles.action} aria-keyshortcuts="Control+Z" onClick={() => undoToast(toast)}>
          {t('toast.undo')} <Kbd keys="mod+z" on="river" />
        </button>
      ) : null}
      <IconButton icon="close" label={t('toast.close')} size="small" onClick={() => closeToast(toast.id)} />
    </li>
  );
}

function runAction(toast: Toast): void {
  closeToast(toast.id);
  toast.action?.onClick();
}

/** In a field, ⌘Z belongs to the text. */
function isEditing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}
