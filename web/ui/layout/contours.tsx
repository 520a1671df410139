// Thin depth lines behind a header, as on a hydrographic chart. Static and decorative.
import styles from './layout.module.css';

const lines = Array.from({ length: 9 }, (_, index) => {
  const y = 12 + index * 12.2;
  const swell = 8 + index * 2.2;
  return {
    path: `M-20 ${y}C236 ${y - swell * 1.4} 390 ${y + 12 + index * 0.6} 590 ${y + 4}S944 ${y - swell} 1220 ${y + 8}`,
    opacity: 0.05 + index * 0.016,
    width: 1 + index * 0.06,
  };
});

export function Contours() {
  return (
    <svg className={styles.contours} viewBox="0 0 1180 120" preserveAspectRatio="none" aria-hidden>
      {lines.map(({ path, opacity, width }) => (
        <path
          key={path}
          d={path}
          fill="none"
          stroke="var(--river)"
          strokeOpacity={opacity}
          strokeWidth={width}
          vectorEffect="non-scaling-stroke"
        />
      ))}
    </svg>
  );
}
