import { type MouseEvent, useEffect, useRef } from 'react';
import { Icon } from '../icons.tsx';
import styles from './table.module.css';

type Props = { label: string; isChecked: boolean; isMixed?: boolean; onToggle: (isRange: boolean) => void };

/** A checkbox without a visible label, with a target of 24 px. A click with Shift selects a range. */
export function RowCheckbox({ label, isChecked, isMixed = false, onToggle }: Props) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current) input.current.indeterminate = isMixed;
  }, [isMixed]);
  const click = (event: MouseEvent) => {
    event.stopPropagation();
    onToggle(event.shiftKey);
  };
  return (
    <span className={styles.check}>
      <input ref={input} type="checkbox" aria-label={label} checked={isChecked} onClick={click} onChange={ignore} />
      <Icon name={isMixed ? 'minus' : 'check'} size={14} />
    </span>
  );
}

/** The click, which knows about Shift, does the work. */
function ignore(): void {}
