// One rule, in the version that a commission was calculated with or the current one; editing it, and its history.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Loaded } from '../../states/loaded.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { Money } from '../../ui/figures/money.tsx';
import { Rate } from '../../ui/figures/rate.tsx';
import { Facts } from '../../ui/layout/card.tsx';
import { Link } from '../../ui/layout/link.tsx';
import { Row, Stack } from '../../ui/layout/stack.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { Notice } from '../../ui/states/problem.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { EditSheet } from './EditSheet.tsx';
import { RuleEffect } from './effect/RuleEffect.tsx';
import type { Rule, RuleVersion } from './form/rule-values.ts';
import { toRateValue } from './rate-value.ts';
import type { TestedOrder } from './tester/tested-order.ts';
import { Versions } from './Versions.tsx';

type Version = RuleVersion;
type Props = {
  ruleId: string;
  version: number | null;
  isOpen: boolean;
  onClose: () => void;
  order: TestedOrder;
  onOrder: (order: TestedOrder) => void;
};

export function RuleSheet({ ruleId, version, isOpen, onClose, order, onOrder }: Props) {
  const { t } = useTranslation('rules');
  const { id: programId, can } = useProgram();
  const [isEditing, setIsEditing] = useState(false);
  const read = useRead(
    'commissionRules.get',
    { path: { programId, id: ruleId }, query: { expand: 'affiliate,group,product' } },
    { enabled: isOpen },
  );
  const shown = read.data ? versionOf(read.data, version) : undefined;
  if (isEditing && read.data) return <EditSheet rule={read.data} onClose={() => setIsEditing(false)} order={order} onOrder={onOrder} />;
  return (
    <Sheet
      isOpen={isOpen}
      onClose={onClose}
      title={shown?.name ?? t('title')}
      detail={read.data && shown ? t('sheet.versionOf', { version: shown.version, latest: read.data.version }) : undefined}
    >
      <Loaded read={read} what={t('sheet.what')} skeleton={<SkeletonText lines={8} />}>
        {(rule) => (
          <Stack gap={24}>
            {can('terms.write') ? (
              <Row>
                <Button icon="edit" onClick={() => setIsEditing(true)}>
                  {t('edit')}
                </Button>
              </Row>
            ) : null}
            <State rule={rule} shown={versionOf(rule, version)} />
            <Terms shown={versionOf(rule, version)} />
            {rule.status === 'active' && rule.event === 'sale' ? <RuleEffect rule={rule} /> : null}
            <Versions rule={rule} />
          </Stack>
        )}
      </Loaded>
    </Sheet>
  );
}

/** The requested version, or else the current one. */
function versionOf({ versions, ...rule }: Rule, version: number | null): Version {
  const found = versions.find((each) => each.version === (version ?? rule.version)) ?? versions[0];
  return found ?? { ...rule, validFrom: rule.createdAt, actor: null };
}

function State({ rule: { version: latest, status }, shown }: { rule: Rule; shown: Version }) {
  const { t } = useTranslation('rules');
  if (status === 'archived') return <Notice title={t('sheet.archived')} />;
  return shown.version === latest ? null : <Notice title={t('sheet.former', { latest })} />;
}

function Terms({ shown }: { shown: Version }) {
  const { t } = useTranslation('rules');
  const { currency, level, productId, category, event, trigger, tiers, conditions } = shown;
  const value = toRateValue(shown);
  const more = [
    tiers.length > 0 ? t('tiers', { count: tiers.length }) : null,
    conditions.length > 0 ? t('conditions', { count: conditions.length }) : null,
  ].filter((part) => part !== null);
  const amounts = [
    { label: t('sheet.minimum'), cents: shown.minPerOrderCents },
    { label: t('sheet.maximum'), cents: shown.maxPerOrderCents },
    { label: t('sheet.budget'), cents: shown.budgetCents },
  ];
  const rows = [
    { label: t('sheet.pays'), value: value === null ? '–' : <Rate value={value} /> },
    { label: t('sheet.level'), value: t(level === 2 ? 'sheet.uplineLevel' : 'sheet.direct') },
    { label: t('sheet.whom'), value: <Whom shown={shown} /> },
    { label: t('sheet.product'), value: productId === null ? null : t('sheet.oneProduct') },
    { label: t('sheet.category'), value: category },
    { label: t('sheet.orders'), value: event === 'sale' ? t(`sheet.trigger.${trigger}`) : null },
    ...amounts.map(({ label, cents }) => ({ label, value: cents === null ? null : <Money cents={cents} currency={currency} /> })),
    { label: t('sheet.terms'), value: more.length === 0 ? null : more.join(' · ') },
    { label: t('sheet.validFrom'), value: <DateTime value={shown.validFrom} as="exact" /> },
  ];
  return <Facts rows={rows.filter((row) => row.value !== null)} columns={2} />;
}

function Whom({ shown: { affiliateId, groupId } }: { shown: Version }) {
  const { t } = useTranslation('rules');
  const { href } = useProgram();
  if (affiliateId !== null) return <Link href={href(`affiliates/${affiliateId}`)}>{t('sheet.oneAffiliate')}</Link>;
  return groupId === null ? t('everyone') : <Link href={href(`groups/${groupId}`)}>{t('sheet.oneGroup')}</Link>;
}
