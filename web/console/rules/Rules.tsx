// The commission rules of a program: what an order or a lead earns, and for whom. One can be added and archived.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Read, useAction, useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Loaded } from '../../states/loaded.tsx';
import { showProblem } from '../../states/show-problem.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Rate } from '../../ui/figures/rate.tsx';
import { Card, RowList } from '../../ui/layout/card.tsx';
import { Link } from '../../ui/layout/link.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { Confirm } from '../../ui/overlay/confirm.tsx';
import { onDemand } from '../../ui/overlay/on-demand.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { useSearchState } from '../../url/search-state.ts';
import { type RawSearch, readText } from '../../url/url-state.ts';
import { CreateSheet } from './CreateSheet.tsx';
import { toRateValue } from './rate-value.ts';
import styles from './rules.module.css';

type Rule = NonNullable<Read<'commissionRules.list'>['data']>['commissionRules'][number];

const RuleSheet = onDemand(async () => (await import('./RuleSheet.tsx')).RuleSheet);

const query = { limit: 200, status: ['active'] as 'active'[], sort: 'createdAt' as const, expand: 'affiliate,group,product' };

export function Screen() {
  const { t } = useTranslation('rules');
  const { id: programId, can } = useProgram();
  const [isCreating, setIsCreating] = useState(false);
  const [{ ruleId, version }, change] = useSearchState(readPlace);
  const read = useRead('commissionRules.list', { path: { programId }, query });
  const canWrite = can('terms.write');
  const create = (
    <Button kind="primary" icon="plus" onClick={() => setIsCreating(true)}>
      {t('create')}
    </Button>
  );
  return (
    <Page title={t('title')} lede={t('lede')} width="reading" actions={canWrite ? create : undefined}>
      <Card isFlush>
        <Loaded
          read={read}
          what={t('what')}
          skeleton={
            <div className={styles.padded}>
              <SkeletonText lines={5} />
            </div>
          }
        >
          {({ commissionRules: rules }) =>
            rules.length === 0 ? (
              <EmptyState sample="rules" title={t('empty.title')} text={t('empty.text')} actions={canWrite ? create : undefined} />
            ) : (
              <RowList>
                {rules.map((rule) => (
                  <RuleRow key={rule.id} rule={rule} canWrite={canWrite} />
                ))}
              </RowList>
            )
          }
        </Loaded>
      </Card>
      <RuleSheet
        key={ruleId}
        isOpen={ruleId !== null}
        ruleId={ruleId ?? ''}
        version={version}
        onClose={() => change({ rule: null, version: null })}
      />
      {canWrite ? <CreateSheet isOpen={isCreating} onClose={() => setIsCreating(false)} /> : null}
    </Page>
  );
}

/** The rule that is open, and the version that a commission was calculated with. */
function readPlace(raw: RawSearch): { ruleId: string | null; version: number | null } {
  const version = Number(readText(raw, 'version'));
  return { ruleId: readText(raw, 'rule') ?? null, version: Number.isInteger(version) && version > 0 ? version : null };
}

function RuleRow({ rule, canWrite }: { rule: Rule; canWrite: boolean }) {
  const { href } = useProgram();
  const value = toRateValue(rule);
  return (
    <li className={styles.rule}>
      <div className={styles.text}>
        <div className={styles.name}>
          <Link href={href(`rules?rule=${rule.id}`)}>
            <bdi>{rule.name}</bdi>
          </Link>
        </div>
        <div className={styles.detail}>
          <Scope rule={rule} />
        </div>
      </div>
      <div className={styles.value}>{value === null ? '–' : <Rate value={value} />}</div>
      {canWrite ? <ArchiveButton rule={rule} /> : null}
    </li>
  );
}

/** For whom and what the rule applies, and what limits it. */
function Scope({ rule }: { rule: Rule }) {
  const { t } = useTranslation('rules');
  const whom = rule.affiliate?.name ?? rule.group?.name ?? t('everyone');
  const parts = [
    rule.level === 2 ? t('upline', { whom }) : whom,
    rule.product?.name ?? rule.category,
    rule.effectiveStatus === 'effective' ? null : t(`status.${rule.effectiveStatus}`),
    rule.tiers.length > 0 ? t('tiers', { count: rule.tiers.length }) : null,
    rule.conditions.length > 0 ? t('conditions', { count: rule.conditions.length }) : null,
  ];
  return <>{parts.filter((part) => part !== null && part !== undefined).join(' · ')}</>;
}

function ArchiveButton({ rule: { id, name } }: { rule: Rule }) {
  const { t } = useTranslation('rules');
  const { id: programId } = useProgram();
  const [isAsking, setIsAsking] = useState(false);
  const archive = useAction('commissionRules.update', { invalidates: ['commissionRules.list', 'affiliates.rates'] });
  const confirm = () =>
    archive.mutate(
      { path: { programId, id }, body: { status: 'archived' } },
      {
        onSuccess: () => showToast(t('archived', { name })),
        onError: showProblem,
        onSettled: () => setIsAsking(false),
      },
    );
  return (
    <>
      <Button size="small" kind="quiet" icon="archive" aria-label={`${t('archive')}: ${name}`} onClick={() => setIsAsking(true)}>
        {t('archive')}
      </Button>
      <Confirm
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={t('archiveTitle', { name })}
        text={t('archiveText')}
        action={t('archive')}
        isBusy={archive.isPending}
        onConfirm={confirm}
      />
    </>
  );
}
