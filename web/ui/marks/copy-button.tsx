import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../icons.tsx';
import { announce } from '../overlay/announcements.ts';
import styles from './marks.module.css';

type Props = {
  /** What is put on the clipboard. */
  value: string;
  /** What is shown; the value itself by default. */
  text?: string;
  /** For codes, ids and addresses. */
  isMono?: boolean;
  label?: string;
};

/** A value that is copied by a click; confirms with a tick for two seconds and in the live region. */
export function CopyButton({ value, text = value, isMono = false, label }: Props) {
  const { t } = useTranslation('ui');
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(value);
    setIsCopied(true);
    announce(t('copy.done'));
    setTimeout(() => setIsCopied(false), 2000);
  };
  return (
    <button
      type="button"
      className={styles.copy}
      data-mono={isMono || undefined}
      title={value === text ? undefined : value}
      aria-label={label ?? t('copy.label', { value: text })}
      onClick={() => void copy()}
    >
      <span className={styles.copyText}>{text}</span>
      <Icon name={isCopied ? 'check' : 'copy'} size={16} />
    </button>
  );
}
