// One commission: what it was calculated from, what holds it, what can be done with it, and every change.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { useMemberName } from '../../session/member-name.ts';
import { useProgram } from '../../session/program.ts';
import { Loaded } from '../../states/loaded.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { Money } from '../../ui/figures/money.tsx';
import { Facts } from '../../ui/layout/card.tsx';
import { Link } from '../../ui/layout/link.tsx';
import { Row, Stack } from '../../ui/layout/stack.tsx';
import { MoneyStatus } from '../../ui/marks/status.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { Notice } from '../../ui/states/problem.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { ChangeForm, type ChangeKind } from './ChangeForm.tsx';
import styles from './commissions.module.css';
import { type CommissionDetail, RateOf, State, useRowName } from './use-columns.tsx';

type Props = { id: string; onClose: () => void; onPrevious: (() => void) | undefined; onNext: (() => void) | undefined };

export function CommissionSheet({ id, onClose, onPrevious, onNext }: Props) {
  const { t } = useTranslation('commissions');
  const { id: programId } = useProgram();
  const nameOf = useRowName();
  const [kind, setKind] = useState<ChangeKind | null>(null);
  const [hasChanges, setHasChanges] = useState(false);
  const read = useRead('commissions.get', { path: { programId, id }, query: { expand: 'affiliate,product,rule' } });
  const stop = () => {
    setKind(null);
    setHasChanges(false);
  };
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={read.data ? nameOf(read.data) : t('one')}
      detail={read.data ? <Money cents={read.data.amountCents} currency={read.data.currency} /> : undefined}
      hasChanges={hasChanges}
      onPrevious={onPrevious}
      onNext={onNext}
    >
      <Loaded read={read} what={t('whatOne')} skeleton={<SkeletonText lines={8} />}>
        {(commission) => (
          <Stack gap={24}>
            <Holds commission={commission} />
            {kind === null ? (
              <Actions commission={commission} onChoose={setKind} />
            ) : (
              <ChangeForm key={kind} commission={commission} kind={kind} onChanged={setHasChanges} onDone={stop} />
            )}
            <Details commission={commission} />
            <History commission={commission} />
            <Entries commission={commission} />
          </Stack>
        )}
      </Loaded>
    </Sheet>
  );
}

/** What holds the commission, with the place where that is decided. */
function Holds({ commission: { holds, conversionId } }: { commission: CommissionDetail }) {
  const { t } = useTranslation('commissions');
  const { href } = useProgram();
  return holds.map(({ cause, causeId, note, openedAt }) => (
    <Notice key={`${cause} ${causeId}`} tone="held" icon="gate" title={t(`heldBy.${cause}`)}>
      <Stack gap={8}>
        <div>
          {note === null ? null : <>{note} · </>}
          <DateTime value={openedAt} as="exact" />
        </div>
        {cause === 'fraud_event' ? (
          <div>
            <ButtonLink size="small" href={href(`review?kind=fraud_alert&item=${causeId}`)}>
              {t('decideAlert')}
            </ButtonLink>
          </div>
        ) : null}
        {cause === 'dispute' && conversionId !== null ? (
          <div>
            <ButtonLink size="small" href={href(`conversions/${conversionId}`)}>
              {t('openDispute')}
            </ButtonLink>
          </div>
        ) : null}
      </Stack>
    </Notice>
  ));
}

function Actions({ commission, onChoose }: { commission: CommissionDetail; onChoose: (kind: ChangeKind) => void }) {
  const { t } = useTranslation('commissions');
  const { can } = useProgram();
  if (!can('commissions.write')) return null;
  const kinds = possibleChanges(commission);
  if (kinds.length === 0) return null;
  return (
    <Row>
      {kinds.map((kind) => (
        <Button key={kind} onClick={() => onChoose(kind)}>
          {t(`change.${kind}.button`)}
        </Button>
      ))}
    </Row>
  );
}

/** What the API accepts for a commission in this state. */
function possibleChanges({ id, kind, status, holds, amountCents }: CommissionDetail): ChangeKind[] {
  const isHeldManually = holds.some(({ cause, causeId }) => cause === 'manual' && causeId === id);
  const isOpen = status === 'pending' || status === 'held' || status === 'approved';
  const canHold = isOpen && amountCents > 0 && !holds.some(({ cause }) => cause === 'manual');
  const canAdjust = kind !== 'adjustment' && status !== 'reversed' && status !== 'rejected';
  const changes: [ChangeKind, boolean][] = [
    ['hold', canHold],
    ['release', isHeldManually],
    ['adjust', canAdjust],
  ];
  return changes.filter(([, isPossible]) => isPossible).map(([change]) => change);
}

function Details({ commission }: { commission: CommissionDetail }) {
  const { t } = useTranslation('commissions');
  const { href } = useProgram();
  const { affiliateId, conversionId, orderId, baseCents, reversedCents, owedCents, currency, ruleId, ruleVersion, level, kind } =
    commission;
  const rows = [
    { label: t('column.state'), value: <State row={commission} /> },
    {
      label: t('column.affiliate'),
      value: (
        <Link href={href(`affiliates/${affiliateId}`)}>
          <bdi>{commission.affiliate?.name}</bdi>
        </Link>
      ),
    },
    { label: t('column.kind'), value: `${t(`kind.${kind}`)} · ${t(level === 1 ? 'direct' : 'upline')}` },
    { label: t('column.base'), value: <Money cents={baseCents} currency={currency} /> },
    { label: t('column.rate'), value: <RateOf row={commission} /> },
    { label: t('column.reversed'), value: <Money cents={reversedCents} currency={currency} /> },
    { label: t('owed'), value: <Money cents={owedCents} currency={currency} /> },
  ];
  const order = { label: t('column.order'), value: <Link href={href(`conversions/${conversionId}`)}>{t('openOrder', { orderId })}</Link> };
  const rule = {
    label: t('column.rule'),
    value: (
      <Link href={href(`rules?rule=${ruleId}&version=${ruleVersion}`)}>
        {t('openRule', { name: commission.rule?.name ?? '', version: ruleVersion })}
      </Link>
    ),
  };
  return <Facts rows={[...rows, ...(conversionId === null ? [] : [order]), ...(ruleId === null ? [] : [rule])]} columns={2} />;
}

function History({ commission: { history } }: { commission: CommissionDetail }) {
  const { t } = useTranslation('commissions');
  const memberName = useMemberName();
  return (
    <section aria-label={t('history')}>
      <h3 className={styles.title}>{t('history')}</h3>
      <ol className={styles.list}>
        {history.toReversed().map(({ id, toStatus, note, actor, createdAt }) => (
          <li key={id}>
            <MoneyStatus state={toStatus} />
            <div className={styles.line}>
              <bdi>{memberName(actor) ?? t(`actor.${actor.kind}`)}</bdi> · <DateTime value={createdAt} as="exact" />
            </div>
            {note === null ? null : <blockquote className={styles.note}>{note}</blockquote>}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Entries({ commission: { id } }: { commission: CommissionDetail }) {
  const { t } = useTranslation('commissions');
  const { id: programId } = useProgram();
  const read = useRead('ledgerEntries.list', { path: { programId }, query: { commissionId: id, limit: 50, sort: 'seq' } });
  return (
    <section aria-label={t('ledger')}>
      <h3 className={styles.title}>{t('ledger')}</h3>
      <Loaded read={read} what={t('whatLedger')} skeleton={<SkeletonText lines={3} />}>
        {({ entries }) => (
          <Facts
            rows={entries.map(({ kind, amountCents, currency, createdAt }) => ({
              label: (
                <>
                  {t(`entry.${kind}`)} · <DateTime value={createdAt} as="date" />
                </>
              ),
              value: <Money cents={amountCents} currency={currency} />,
            }))}
          />
        )}
      </Loaded>
    </section>
  );
}
