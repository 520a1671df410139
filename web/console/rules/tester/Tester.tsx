// Which rule applies to an order, why the others don't, and what it would earn; with a draft, as if it were saved now.
import { useTranslation } from 'react-i18next';
import { Loaded } from '../../../states/loaded.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import { Outcome } from './Outcome.tsx';
import type { usePreview } from './preview.ts';
import { TesterFields } from './TesterFields.tsx';
import type { TestedOrder } from './tested-order.ts';

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
