// The commission rules of a program in their order of precedence, beside a tester: which rule applies to an order, and why.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Loaded } from '../../states/loaded.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { onDemand } from '../../ui/overlay/on-demand.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { useSearchState } from '../../url/search-state.ts';
import { type RawSearch, readText } from '../../url/url-state.ts';
import { Ladder } from './Ladder.tsx';
import styles from './rules.module.css';
import { type Preview, usePreview } from './tester/preview.ts';
import { Tester } from './tester/Tester.tsx';
import { emptyOrder } from './tester/tested-order.ts';

const CreateSheet = onDemand(async () => (await import('./CreateSheet.tsx')).CreateSheet);
const RuleSheet = onDemand(async () => (await import('./RuleSheet.tsx')).RuleSheet);

const query = { limit: 200, status: ['active'] as 'active'[], sort: 'createdAt' as const, expand: 'affiliate,group,product' };

export function Screen() {
  const { t } = useTranslation('rules');
  const { id: programId, can } = useProgram();
  const [isCreating, setIsCreating] = useState(false);
  const [order, setOrder] = useState(emptyOrder);
  const [{ ruleId, version }, change] = useSearchState(readPlace);
  const read = useRead('commissionRules.list', { path: { programId }, query });
  const preview = usePreview(order, null);
  const applied = preview.isComplete && preview.read.data ? findApplied(preview.read.data) : new Set<string>();
  const canWrite = can('terms.write');
  const create = (
    <Button kind="primary" icon="plus" onClick={() => setIsCreating(true)}>
      {t('create')}
    </Button>
  );
  return (
    <Page title={t('title')} lede={t('lede')} actions={canWrite ? create : undefined}>
      <div className={styles.columns}>
        <Loaded read={read} what={t('what')} skeleton={<LadderSkeleton />}>
          {({ commissionRules: rules }) =>
            rules.length === 0 ? (
              <Card isFlush>
                <EmptyState sample="rules" title={t('empty.title')} text={t('empty.text')} actions={canWrite ? create : undefined} />
              </Card>
            ) : (
              <Ladder rules={rules} applied={applied} />
            )
          }
        </Loaded>
        <Card title={t('tester.title')} detail={t('tester.text')}>
          <Tester order={order} onChange={setOrder} preview={preview} />
        </Card>
      </div>
      <RuleSheet
        key={ruleId}
        isOpen={ruleId !== null}
        ruleId={ruleId ?? ''}
        version={version}
        order={order}
        onOrder={setOrder}
        onClose={() => change({ rule: null, version: null })}
      />
      {canWrite ? <CreateSheet isOpen={isCreating} onClose={() => setIsCreating(false)} order={order} onOrder={setOrder} /> : null}
    </Page>
  );
}

function LadderSkeleton() {
  return (
    <Card isFlush>
      <div className={styles.padded}>
        <SkeletonText lines={5} />
      </div>
    </Card>
  );
}

function findApplied({ lines }: Preview): Set<string> {
  return new Set(
    lines.flatMap(({ candidates }) => candidates.flatMap(({ outcome, ruleId }) => (outcome === 'applied' && ruleId ? [ruleId] : []))),
  );
}

/** The rule that is open, and the version that a commission was calculated with. */
function readPlace(raw: RawSearch): { ruleId: string | null; version: number | null } {
  const version = Number(readText(raw, 'version'));
  return { ruleId: readText(raw, 'rule') ?? null, version: Number.isInteger(version) && version > 0 ? version : null };
}
