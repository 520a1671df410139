// A figure over time: an area, the comparison period dashed, the current bucket dashed as long as it is incomplete. Arrow keys
// move along it, and a table says the same.
import { type KeyboardEvent, type PointerEvent, type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../controls/button.tsx';
import { Card } from '../layout/card.tsx';
import { announce } from '../overlay/announcements.ts';
import { useChartText } from './chart-text.ts';
import type { TimeChartProps, TimePoint } from './chart-types.ts';
import styles from './charts.module.css';
import { labelledBuckets, nearestBucket, type TimeShape, timeShape } from './time-geometry.ts';
import { TimeTable } from './time-table.tsx';
import { useWidth } from './use-size.ts';

const height = 232;
const bottom = 26;

export function TimeChart(props: TimeChartProps) {
  const { series, comparison, isLastIncomplete = false, onPick } = props;
  const [frame, width] = useWidth<HTMLDivElement>();
  const [active, setActive] = useState<number | null>(null);
  const text = useChartText(props);
  const left = 14 + 7 * Math.max(3, ...series.map(({ value }) => text.axis(value).length));
  const shape = timeShape({
    values: series.map(({ value }) => value),
    compare: comparison === undefined ? [] : series.map(({ compare }) => compare ?? null),
    isLastIncomplete,
    width,
    height,
    left,
    bottom,
  });
  const show = (index: number | null) => {
    setActive(index);
    const point = index === null ? undefined : series[index];
    if (point) announce(text.sentence(point));
  };
  const keys = (event: KeyboardEvent) => {
    const next = keyTarget(event.key, active, series.length);
    const point = active === null ? undefined : series[active];
    if (event.key === 'Enter' && point) onPick?.(point);
    if (next === undefined) return;
    event.preventDefault();
    show(next);
  };
  const point = (event: PointerEvent<HTMLElement>) =>
    setActive(nearestBucket(shape.points, event.clientX - event.currentTarget.getBoundingClientRect().left));
  const picked = active === null ? undefined : series[active];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a chart is not a fieldset.
    <div
      ref={frame}
      className={styles.chart}
      data-pick={onPick ? true : undefined}
      role="group"
      aria-roledescription={text.chart}
      aria-label={text.summary}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move along the chart.
      tabIndex={0}
      onKeyDown={keys}
      onBlur={() => setActive(null)}
      onPointerMove={point}
      onPointerLeave={() => setActive(null)}
      onClick={() => picked && onPick?.(picked)}
    >
      {width === 0 ? null : <Drawing {...props} shape={shape} width={width} left={left} active={active} />}
      {picked && active !== null ? <Reading {...props} point={picked} x={shape.points[active]?.x ?? 0} width={width} /> : null}
    </div>
  );
}

function keyTarget(key: string, active: number | null, count: number): number | null | undefined {
  if (count === 0) return undefined;
  if (key === 'ArrowRight') return Math.min(count - 1, (active ?? -1) + 1);
  if (key === 'ArrowLeft') return Math.max(0, (active ?? count) - 1);
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  return key === 'Escape' && active !== null ? null : undefined;
}

type DrawingProps = TimeChartProps & { shape: TimeShape; width: number; left: number; active: number | null };

function Drawing({ shape, width, left, active, series, ...props }: DrawingProps) {
  const gradient = useId();
  const text = useChartText({ ...props, series });
  const marked = active === null ? undefined : shape.points[active];
  const labels = series.map(({ start }) => text.bucket(start));
  const lastLabel = series.length - 1;
  return (
    <svg width={width} height={height} className={styles.drawing} aria-hidden>
      <defs>
        <linearGradient id={gradient} x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="var(--series-1)" stopOpacity="0.28" />
          <stop offset="1" stopColor="var(--series-1)" stopOpacity="0.02" />
        </linearGradient>
      </defs>
      {shape.ticks.map(({ value, y }) => (
        <g key={value}>
          <line className={value === 0 ? styles.zero : styles.grid} x1={left} x2={width - 10} y1={y} y2={y} />
          <text className={styles.axis} x={left - 8} y={y + 4} textAnchor="end">
            {text.axis(value)}
          </text>
        </g>
      ))}
      {labelledBuckets(labels, width - left).map((index) => (
        <text
          key={index}
          className={styles.axis}
          x={shape.points[index]?.x}
          y={height - 6}
          textAnchor={index === lastLabel && series.length > 1 ? 'end' : (shape.points[index]?.x ?? 0) < left + 20 ? 'start' : 'middle'}
        >
          {index === lastLabel && props.isLastIncomplete ? text.current : labels[index]}
        </text>
      ))}
      {series.length === 0 ? (
        <text className={styles.nothing} x={left + (width - left) / 2} y={height / 2} textAnchor="middle">
          {text.nothing}
        </text>
      ) : null}
      <path d={shape.area} fill={`url(#${gradient})`} />
      <path d={shape.compareLine} className={styles.compare} />
      <path d={shape.line} className={styles.line} />
      <path d={shape.openLine} className={styles.lineOpen} />
      {marked ? (
        <g>
          <line className={styles.cross} x1={marked.x} x2={marked.x} y1={8} y2={shape.baseline} />
          <circle className={styles.dot} cx={marked.x} cy={marked.y} r={4.5} />
        </g>
      ) : null}
    </svg>
  );
}

/** The figures of the bucket under the crosshair. */
function Reading({ point, x, width, ...props }: TimeChartProps & { point: TimePoint; x: number; width: number }) {
  const { t } = useTranslation('ui');
  const text = useChartText(props);
  const isRight = x > width - 190;
  return (
    <div className={styles.reading} style={isRight ? { right: width - x + 12 } : { left: x + 12 }} aria-hidden>
      <div className={styles.readingTitle}>{text.bucket(point.start, true)}</div>
      <div className={styles.readingLine}>
        <span className={styles.keyMain} />
        {props.label}
        <b>{text.value(point.value)}</b>
      </div>
      {props.comparison === undefined || point.compare === undefined || point.compare === null ? null : (
        <div className={styles.readingLine}>
          <span className={styles.keyCompare} />
          {t('chart.before')}
          <b>{text.value(point.compare)}</b>
        </div>
      )}
    </div>
  );
}

type CardProps = TimeChartProps & { title: ReactNode; detail?: ReactNode; actions?: ReactNode };

/** A chart on a card, with the switch between drawing and table. */
export function ChartCard({ title, detail, actions, ...chart }: CardProps) {
  const { t } = useTranslation('ui');
  const [isTable, setIsTable] = useState(false);
  const toggle = (
    <>
      {actions}
      <Button size="small" kind="quiet" icon={isTable ? 'chart' : 'table'} aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
        {t(isTable ? 'chart.chart' : 'chart.table')}
      </Button>
    </>
  );
  return (
    <Card title={title} detail={detail} actions={toggle}>
      {isTable ? <TimeTable {...chart} /> : <TimeChart {...chart} />}
    </Card>
  );
}
