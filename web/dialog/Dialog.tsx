// A modal dialog above everything, including sheets: the browser traps the focus and returns it.
import { type ReactNode, useEffect, useRef } from 'react';
import styles from './dialog.module.css';

type Props = {
  isOpen: boolean;
  onClose: () => void;
  label: string;
  /** `top` for the palette, which stays in place while its list grows. */
  place?: 'center' | 'top';
  children: ReactNode;
};

export function Dialog({ isOpen, onClose, label, place = 'center', children }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    if (!dialog || !isOpen) return;
    dialog.showModal();
    return () => dialog.close();
  }, [isOpen]);
  if (!isOpen) return null;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it; the click is on the backdrop.
    <dialog
      ref={ref}
      className={styles.dialog}
      data-place={place}
      aria-label={label}
      // The component library closes its drawers on Escape, even those below.
      onFocusCapture={(event) => event.target.setAttribute('data-mantine-stop-propagation', 'true')}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === ref.current) onClose();
      }}
    >
      <div className={styles.content}>{children}</div>
    </dialog>
  );
}
