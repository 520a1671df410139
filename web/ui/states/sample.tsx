// The outline of what an empty place will show: the same shapes as its rows, its page or its card. Decorative.
import styles from './states.module.css';

export type Sample = 'products' | 'people' | 'orders' | 'entries' | 'emails' | 'links' | 'rules' | 'page' | 'decision';

type Shape = readonly [kind: 'bone' | 'outline', x: number, y: number, width: number, height: number];

/** A row of 40 px. A radius of half the height makes circles and pills. */
const rows: Record<Exclude<Sample, 'page' | 'decision'>, readonly Shape[]> = {
  people: [
    ['outline', 12, 11, 18, 18],
    ['bone', 40, 12, 84, 7],
    ['bone', 40, 24, 52, 5],
    ['outline', 172, 13, 46, 14],
    ['bone', 268, 17, 40, 7],
  ],
  products: [
    ['outline', 12, 10, 20, 20],
    ['bone', 42, 17, 92, 7],
    ['bone', 156, 17, 46, 7],
    ['outline', 254, 13, 54, 14],
  ],
  orders: [
    ['bone', 12, 17, 58, 7],
    ['bone', 92, 17, 68, 7],
    ['outline', 184, 13, 50, 14],
    ['bone', 268, 17, 40, 7],
  ],
  entries: [
    ['bone', 12, 17, 40, 7],
    ['bone', 74, 17, 74, 7],
    ['bone', 156, 17, 128, 7],
  ],
  emails: [
    ['outline', 12, 11, 18, 18],
    ['bone', 40, 12, 148, 7],
    ['bone', 40, 24, 92, 5],
    ['bone', 276, 17, 32, 7],
  ],
  links: [
    ['bone', 12, 17, 74, 7],
    ['outline', 104, 12, 126, 16],
    ['bone', 252, 17, 56, 7],
  ],
  rules: [
    ['bone', 12, 12, 118, 7],
    ['bone', 12, 24, 76, 5],
    ['outline', 252, 11, 56, 18],
  ],
};

const cards: Record<'page' | 'decision', readonly Shape[]> = {
  page: [
    ['outline', 144, 12, 32, 32],
    ['bone', 112, 54, 96, 8],
    ['bone', 126, 68, 68, 5],
    ['outline', 104, 86, 32, 22],
    ['outline', 144, 86, 32, 22],
    ['outline', 184, 86, 32, 22],
  ],
  decision: [
    ['outline', 56, 16, 28, 28],
    ['bone', 94, 20, 96, 8],
    ['bone', 94, 34, 62, 5],
    ['bone', 56, 58, 206, 6],
    ['bone', 56, 70, 150, 6],
    ['outline', 56, 88, 62, 18],
    ['outline', 126, 88, 62, 18],
  ],
};

export function SampleOutline({ sample }: { sample: Sample }) {
  const isCard = sample === 'page' || sample === 'decision';
  return (
    <svg className={styles.sample} viewBox="0 0 320 120" aria-hidden>
      {isCard ? (
        <rect
          className={styles.sampleFrame}
          x={sample === 'page' ? 88.5 : 40.5}
          y=".5"
          width={sample === 'page' ? 143 : 239}
          height="119"
          rx="10"
        />
      ) : null}
      {isCard ? <Shapes shapes={cards[sample]} /> : [0, 1, 2].map((row) => <SampleRow key={row} row={row} shapes={rows[sample]} />)}
    </svg>
  );
}

function SampleRow({ row, shapes }: { row: number; shapes: readonly Shape[] }) {
  return (
    <g transform={`translate(0 ${row * 40})`} opacity={1 - row * 0.3}>
      <path className={styles.sampleLine} d="M0 39.5H320" />
      <Shapes shapes={shapes} />
    </g>
  );
}

function Shapes({ shapes }: { shapes: readonly Shape[] }) {
  return shapes.map(([kind, x, y, width, height]) => {
    const radius = kind === 'bone' || width === height ? height / 2 : 7;
    const inset = kind === 'outline' ? 0.5 : 0;
    return (
      <rect
        key={`${x} ${y}`}
        className={kind === 'bone' ? styles.sampleBone : styles.sampleOutline}
        x={x + inset}
        y={y + inset}
        width={width}
        height={height}
        rx={radius}
      />
    );
  });
}
