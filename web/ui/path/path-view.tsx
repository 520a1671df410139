// A decision as a path: signals, who is credited, the rule of each line, the commission. Streams are as wide as their amounts
// and are drawn behind the nodes once those are measured. Narrow: from top to bottom. On phones: a numbered list.
import { type CSSProperties, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './path.module.css';
import { type Box, type Stream, streams } from './path-geometry.ts';
import type { PathData, PathNode } from './path-types.ts';

type Shape = 'across' | 'down' | 'list';

type Measured = { shape: Shape; width: number; height: number; streams: readonly Stream[] };

const unmeasured: Measured = { shape: 'across', width: 0, height: 0, streams: [] };

export function PathView({ data, label }: { data: PathData; label: string }) {
  const frame = useRef<HTMLDivElement>(null);
  const measured = useStreams(frame, data);
  const { t } = useTranslation('ui');
  return (
    <div className={styles.path} data-shape={measured.shape} ref={frame}>
      <StreamLayer {...measured} />
      <ol className={styles.columns} style={columnsStyle(data.columns.length)} aria-label={label}>
        {data.columns.map((column, index) => (
          <li key={column.id} className={styles.column} data-last={index === data.columns.length - 1 || undefined}>
            <h3 className={styles.columnTitle}>{column.title}</h3>
            {column.nodes.length === 0 ? <p className={styles.none}>{t('path.none')}</p> : null}
            <ul className={styles.nodes}>
              {column.nodes.map((node) => (
                <Node key={node.id} node={node} />
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** A custom property, which the type of `style` doesn't know. */
function columnsStyle(count: number): CSSProperties {
  return { '--columns': count } as CSSProperties;
}

function Node({ node }: { node: PathNode }) {
  return (
    <li className={styles.node} data-node={node.id} data-kind={node.kind ?? 'used'}>
      <div className={styles.nodeTitle}>
        <bdi>{node.title}</bdi>
      </div>
      {node.detail === undefined ? null : <div className={styles.nodeDetail}>{node.detail}</div>}
      {node.reason === undefined ? null : <div className={styles.nodeReason}>{node.reason}</div>}
    </li>
  );
}

function StreamLayer({ shape, width, height, streams: drawn }: Measured) {
  if (shape === 'list' || width === 0) return null;
  return (
    <svg className={styles.streams} width={width} height={height} aria-hidden>
      {drawn.map((stream) => (
        <g key={stream.id} data-kind={stream.kind}>
          <path
            className={styles.stream}
            d={stream.path}
            strokeWidth={stream.width}
            pathLength={stream.kind === 'unused' ? undefined : 1}
          />
          {stream.end ? <circle className={styles.end} cx={stream.end.x} cy={stream.end.y} r={4} /> : null}
        </g>
      ))}
    </svg>
  );
}

/** Measures the nodes after layout, and again whenever one of them changes its size. */
function useStreams(frame: RefObject<HTMLDivElement | null>, data: PathData): Measured {
  const [measured, setMeasured] = useState(unmeasured);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const measure = () => setMeasured(measurePath(element, data));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    for (const node of element.querySelectorAll('[data-node]')) observer.observe(node);
    return () => observer.disconnect();
  }, [frame, data]);
  return measured;
}

function measurePath(element: HTMLElement, data: PathData): Measured {
  const { clientWidth: width, clientHeight: height } = element;
  const shape: Shape = width < 480 ? 'list' : width < 820 ? 'down' : 'across';
  // The columns follow the attribute in the same frame, so that the boxes below are those of the new shape.
  element.dataset.shape = shape;
  if (shape === 'list') return { shape, width, height, streams: [] };
  const origin = element.getBoundingClientRect();
  const boxes = new Map<string, Box>();
  for (const node of element.querySelectorAll<HTMLElement>('[data-node]')) {
    const { left, top, width: w, height: h } = node.getBoundingClientRect();
    boxes.set(node.dataset.node ?? '', { left: left - origin.left, top: top - origin.top, width: w, height: h });
  }
  return { shape, width, height: element.clientHeight, streams: streams(data.links, boxes, data.totalCents, shape) };
}
