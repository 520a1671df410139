// What a draft changes: for one order, and for the orders of a past period.
import { useTranslation } from 'react-i18next';
import { Section } from '../../../ui/layout/card.tsx';
import type { RuleChange } from '../rule-change.ts';
import { usePreview } from '../tester/preview.ts';
import { Tester } from '../tester/Tester.tsx';
import type { TestedOrder } from '../tester/tested-order.ts';
import { Simulation } from './Simulation.tsx';

type Props = {
  /** Null while the form is incomplete. */
  change: RuleChange | null;
  order: TestedOrder;
  onOrder: (order: TestedOrder) => void;
  /** Shows what is missing. */
  onIncomplete?: () => void;
};

export function DraftEffect({ change, order, onOrder, onIncomplete }: Props) {
  const { t } = useTranslation('rules');
  const preview = usePreview(order, change);
  return (
    <>
      <Section title={t('tester.draftTitle')} detail={t('tester.draftText')}>
        <Tester order={order} onChange={onOrder} preview={preview} isWithoutDraft={change === null} />
      </Section>
      <Simulation change={change} onIncomplete={onIncomplete} />
    </>
  );
}
