import { keyLabel } from './key-label.ts';
import styles from './marks.module.css';

/** Keys of a shortcut: `mod+k` or `g o`. Hidden from screen readers; `aria-keyshortcuts` of the control names them. */
export function Kbd({ keys, on }: { keys: string; on?: 'river' }) {
  const strokes = keys.split(' ').map((stroke) => keyLabel(stroke));
  return (
    <span className={styles.kbd} data-on={on} aria-hidden>
      {strokes.map((stroke, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the strokes of a shortcut have no other identity and never move.
        <kbd key={index}>{stroke}</kbd>
      ))}
    </span>
  );
}
