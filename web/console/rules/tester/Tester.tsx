// Which rule applies to an order, why the others don't, and what it would earn; with a draft, as if it were saved now.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { dayOf } from '../../../ui/figures/days.ts';
import { useSettled } from '../../../ui/form/use-settled.ts';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import type { RuleChange } from '../rule-change.ts';
import { Outcome } from './Outcome.tsx';
import { TesterFields } from './TesterFields.tsx';
import { type TestedOrder, toBody } from './tested-order.ts';

export type Preview = Result<'commissionRules.preview'>;

const pauseMs = 250;

/** What the order earns a moment after the last input; without data while the affiliate or the amount is missing. */
export function usePreview(order: TestedOrder, change: RuleChange | null) {
  const { id: programId, timezone } = useProgram();
  const { now } = useFigures();
  const body = toBody(order, change, { timezone, today: dayOf(now, timezone) });
  const settled = useSettled(JSON.stringify(body), pauseMs);
  const sent = JSON.parse(settled) as typeof body;
  const read = useRead('commissionRules.preview', { path: { programId }, body: sent ?? { amountCents: 0 } }, { enabled: sent !== null });
  return { read, isComplete: body !== null && sent !== null };
}

type Props = {
  order: TestedOrder;
  onChange: (order: TestedOrder) => void;
  preview: ReturnType<typeof usePreview>;
  /** The draft is incomplete, so the saved rules are tested. */
  isWithoutDraft?: boolean;
};

/** The fields of an order, and what it earns. */
export function Tester({ order, onChange, preview: { read, isComplete }, isWithoutDraft = false }: Props) {
  const { t } = useTranslation('rules');
  return (
    <Stack gap={16}>
      <TesterFields order={order} onChange={onChange} />
      {isWithoutDraft ? <Text size="small">{t('tester.withoutDraft')}</Text> : null}
      <div aria-live="polite">
        {isComplete ? (
          <Loaded read={read} what={t('tester.what')} skeleton={<SkeletonText lines={4} />}>
            {(preview) => <Outcome preview={preview} />}
          </Loaded>
        ) : (
          <Text size="small">{t('tester.choose')}</Text>
        )}
      </div>
    </Stack>
  );
}
