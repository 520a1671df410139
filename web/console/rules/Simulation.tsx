// What a change of the rules would have changed on past orders: in total, and for the affiliates with the largest differences.
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Input, Result } from '../../api/call.ts';
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Loaded } from '../../states/loaded.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { Count } from '../../ui/figures/count.tsx';
import { addDays, dayOf, startOfDay } from '../../ui/figures/days.ts';
import { formatCount } from '../../ui/figures/format.ts';
import { Money } from '../../ui/figures/money.tsx';
import { Facts, Section } from '../../ui/layout/card.tsx';
import { Row, Stack, Text } from '../../ui/layout/stack.tsx';
import { Segments } from '../../ui/layout/tabs.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import type { RuleChange } from './rule-change.ts';
import styles from './rules.module.css';

type Body = NonNullable<Input<'commissionRules.simulate'>['body']>;
type Effect = Result<'commissionRules.simulate'>;

const periods = ['30', '90', '365'] as const;
const shownAffiliates = 10;

type Props = {
  /** Null while the form is incomplete. */
  change: RuleChange | null;
  /** Shows what is missing. */
  onIncomplete?: () => void;
  /** What is changed, if the form around it doesn't say so. */
  children?: ReactNode;
};

export function Simulation({ change, onIncomplete, children }: Props) {
  const { t } = useTranslation('rules');
  const { id: programId, timezone } = useProgram();
  const { now } = useFigures();
  const [days, setDays] = useState<(typeof periods)[number]>('90');
  const [asked, setAsked] = useState<string | null>(null);
  const today = dayOf(now, timezone);
  const from = startOfDay(addDays(today, 1 - Number(days)), timezone);
  const to = startOfDay(addDays(today, 1), timezone);
  const body: Body = Object.assign({ from, to }, change);
  const key = change === null ? null : JSON.stringify(body);
  // A result is shown only for the change that it was calculated for.
  const isAsked = key !== null && key === asked;
  const path = { programId };
  const read = useRead('commissionRules.simulate', { path, query: { expand: 'affiliate' }, body }, { enabled: isAsked, staleMs: 60_000 });
  return (
    <Section title={t('simulation.title')} detail={t('simulation.text')}>
      <Stack gap={16}>
        {children}
        <Row justify="space-between">
          <Segments
            label={t('simulation.period')}
            tabs={periods.map((id) => ({ id, label: t(`simulation.days.${id}`) }))}
            value={days}
            onChange={setDays}
          />
          <Button icon="chart" isBusy={isAsked && read.isFetching} onClick={() => (key === null ? onIncomplete?.() : setAsked(key))}>
            {t('simulation.action')}
          </Button>
        </Row>
        {isAsked ? (
          <div aria-live="polite">
            <Loaded read={read} what={t('simulation.what')} skeleton={<SkeletonText lines={5} />}>
              {(effect) => <Findings effect={effect} />}
            </Loaded>
          </div>
        ) : null}
      </Stack>
    </Section>
  );
}

function Findings({ effect: { total, currency, affiliates } }: { effect: Effect }) {
  const { t } = useTranslation('rules');
  const { language } = useFigures();
  if (total.conversions === 0) return <Text>{t('simulation.noOrders')}</Text>;
  const changed = affiliates.filter(({ differenceCents }) => differenceCents !== 0);
  const others = changed.length - shownAffiliates;
  return (
    <Stack gap={16}>
      <Facts
        columns={2}
        rows={[
          { label: t('simulation.before'), value: <Money cents={total.beforeCents} currency={currency} /> },
          { label: t('simulation.after'), value: <Money cents={total.afterCents} currency={currency} /> },
          { label: t('simulation.difference'), value: <Money cents={total.differenceCents} currency={currency} isSigned /> },
          { label: t('simulation.orders'), value: <Count value={total.conversions} /> },
        ]}
      />
      {changed.length === 0 ? (
        <Text>{t('simulation.noEffect')}</Text>
      ) : (
        <AffiliateTable affiliates={changed.slice(0, shownAffiliates)} currency={currency} />
      )}
      {others > 0 ? <Text size="small">{t('simulation.others', { count: others, formatted: formatCount(others, language) })}</Text> : null}
      <Text size="small">{t('simulation.limits')}</Text>
    </Stack>
  );
}

function AffiliateTable({ affiliates, currency }: Pick<Effect, 'affiliates' | 'currency'>) {
  const { t } = useTranslation('rules');
  return (
    <table className={styles.effects}>
      <caption className="visually-hidden">{t('simulation.table')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('scope.affiliate')}</th>
          <th scope="col">{t('simulation.after')}</th>
          <th scope="col">{t('simulation.difference')}</th>
        </tr>
      </thead>
      <tbody>
        {affiliates.map(({ affiliateId, affiliate, afterCents, differenceCents }) => (
          <tr key={affiliateId}>
            <th scope="row">
              <bdi>{affiliate?.name ?? '–'}</bdi>
            </th>
            <td>
              <Money cents={afterCents} currency={currency} />
            </td>
            <td>
              <Money cents={differenceCents} currency={currency} isSigned />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
