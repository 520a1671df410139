import styles from './states.module.css';

type Props = { width?: number | string; height?: number | string; shape?: 'line' | 'block' | 'circle' };

/** A placeholder at the final size of what is loading. */
export function Skeleton({ width = '100%', height = 12, shape = 'line' }: Props) {
  return <span className={styles.bone} data-shape={shape} style={{ width, height }} aria-hidden />;
}

/** Lines of text that are loading. */
export function SkeletonText({ lines = 3 }: { lines?: number }) {
  return (
    <span className={styles.lines} aria-hidden>
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity.
        <Skeleton key={index} width={index === lines - 1 ? '62%' : `${94 - ((index * 11) % 17)}%`} />
      ))}
    </span>
  );
}
