// The path of an order: its nodes as components, with the order of precedence of each line behind a disclosure.
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { PathData } from '../../../ui/path/path-types.ts';
import { PathView } from '../../../ui/path/path-view.tsx';
import styles from './order.module.css';
import { type OrderNode, toPath } from './path-of-order.ts';
import { type Candidate, type Explanation, ruleReason, ruleTitle, type Say, termsText } from './say.ts';

export function OrderPathView({ explanation, say }: { explanation: Explanation; say: Say }) {
  const { t } = useTranslation('conversions');
  const data = useMemo(() => toData(explanation, say), [explanation, say]);
  return (
    <section>
      <h2 className="visually-hidden">{t('path.label')}</h2>
      <PathView data={data} label={t('path.label')} />
    </section>
  );
}

function toData(explanation: Explanation, say: Say): PathData {
  const { columns, links, totalCents } = toPath(explanation, say);
  return { links, totalCents, columns: columns.map((column) => ({ ...column, nodes: column.nodes.map((node) => toNode(node, say)) })) };
}

function toNode(node: OrderNode, say: Say): PathData['columns'][number]['nodes'][number] {
  const { id, kind, reason } = node;
  const title = <NodeTitle node={node} say={say} />;
  const detail = <NodeDetail node={node} say={say} />;
  return reason === undefined
    ? { id, kind, title, detail }
    : { id, kind, title, detail, reason: <span className={styles.reason}>{reason}</span> };
}

function NodeTitle({ node: { title, partCents, kind }, say }: { node: OrderNode; say: Say }) {
  if (kind === 'total') return <span data-total-cents>{title}</span>;
  if (partCents === undefined) return title;
  return (
    <span className={styles.titleLine}>
      <bdi>{title}</bdi>
      <span className={styles.part} data-part>
        {say.money(partCents)}
      </span>
    </span>
  );
}

function NodeDetail({ node: { lines, candidates = [] }, say }: { node: OrderNode; say: Say }) {
  return (
    <>
      {lines.map((line) => (
        <div key={line}>
          <bdi>{line}</bdi>
        </div>
      ))}
      <Precedence candidates={candidates} say={say} />
    </>
  );
}

/** "3 rules didn't apply" opens the order of precedence, with the reason of each. */
function Precedence({ candidates, say }: { candidates: readonly Candidate[]; say: Say }) {
  const { t } = useTranslation('conversions');
  const rejected = candidates.filter(({ outcome }) => outcome !== 'applied').length;
  if (rejected === 0) return null;
  return (
    <details className={styles.precedence}>
      <summary>{t('path.rejected', { count: rejected })}</summary>
      <ol aria-label={t('path.precedence')}>
        {candidates.map((candidate) => (
          <li key={`${candidate.step} ${candidate.ruleId}`} data-applied={candidate.outcome === 'applied' || undefined}>
            <span className={styles.rule}>
              {ruleTitle(candidate, say)}
              {candidate.terms ? <b> {termsText(candidate.terms, say)}</b> : null}
            </span>
            <span>{ruleReason(candidate, say)}</span>
          </li>
        ))}
      </ol>
    </details>
  );
}
