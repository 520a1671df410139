import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { Timeline } from '../../../ui/path/timeline.tsx';
import { type Explanation, nameOf, type Say } from './say.ts';
import { toTimeline } from './timeline-of-order.ts';

/** What happens to the commission of each affiliate who earned. */
export function OrderTimelines({ explanation, say }: { explanation: Explanation; say: Say }) {
  const { timeline } = explanation;
  return (
    <Stack gap={12}>
      {timeline.map(({ level, affiliateId, steps }) => {
        const label =
          timeline.length > 1 ? say.t('timeline.labelOf', { name: nameOf(explanation, affiliateId) ?? '' }) : say.t('timeline.label');
        return (
          <Stack key={level} gap={4}>
            {timeline.length > 1 ? (
              <Text tone="ink-3" size="small">
                {label}
              </Text>
            ) : null}
            <Timeline label={label} steps={toTimeline(steps, say)} />
          </Stack>
        );
      })}
    </Stack>
  );
}
