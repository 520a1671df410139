// Who would move now, with settings that are not saved.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { Count } from '../../../ui/figures/count.tsx';
import { formatNear } from '../../../ui/figures/dates.ts';
import { Money } from '../../../ui/figures/money.tsx';
import { useSettled } from '../../../ui/form/use-settled.ts';
import { RowList, Section } from '../../../ui/layout/card.tsx';
import { Link } from '../../../ui/layout/link.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import styles from './moves.module.css';
import type { findFault, Metric, MovesBody } from './moves-values.ts';

type Preview = Result<'groupMoves.preview'>;
type Move = Preview['moves'][number];
type Settings = { body: MovesBody; fault: ReturnType<typeof findFault> };

const pauseMs = 300;

export function MovesPreview({ settings, lastRunAt }: { settings: Settings; lastRunAt: string | null }) {
  const { t } = useTranslation('groups');
  const { id: programId } = useProgram();
  const figures = useFigures();
  const { body, fault } = JSON.parse(useSettled(JSON.stringify(settings), pauseMs)) as Settings;
  const isComplete = fault === null && (body.steps ?? []).length > 0;
  const read = useRead('groupMoves.preview', { path: { programId }, body }, { enabled: isComplete });
  const last = lastRunAt === null ? null : t('moves.lastRun', { when: formatNear(lastRunAt, figures.now, figures) });
  return (
    <Section title={t('moves.preview')} detail={last ?? t('moves.previewDetail')}>
      <div aria-live="polite">
        {isComplete ? (
          <Loaded read={read} what={t('moves.previewWhat')} skeleton={<SkeletonText lines={3} />}>
            {(preview) => <Moves preview={preview} metric={body.metric ?? 'conversions'} />}
          </Loaded>
        ) : (
          <Text size="small">{t(fault?.reason === 'same' ? 'moves.same' : 'moves.incomplete')}</Text>
        )}
      </div>
    </Section>
  );
}

function Moves({ preview: { total, keptCount, moves, currency }, metric }: { preview: Preview; metric: Metric }) {
  const { t } = useTranslation('groups');
  return (
    <Stack gap={8}>
      <Text>{total === 0 ? t('moves.none') : t('moves.count', { count: total })}</Text>
      {total === 0 ? null : (
        <RowList>
          {moves.map((move) => (
            <MoveRow key={move.affiliateId} move={move} metric={metric} currency={currency} />
          ))}
        </RowList>
      )}
      {total > moves.length ? <Text size="small">{t('moves.more', { count: total - moves.length })}</Text> : null}
      {keptCount === 0 ? null : <Text size="small">{t('moves.kept', { count: keptCount })}</Text>}
    </Stack>
  );
}

function MoveRow({ move, metric, currency }: { move: Move; metric: Metric; currency: string }) {
  const { t } = useTranslation('groups');
  const { href } = useProgram();
  const { affiliateId, affiliate, fromGroup, toGroup, volume } = move;
  return (
    <li className={styles.move}>
      <span className={styles.who}>
        <Link href={href(`affiliates/${affiliateId}`)}>
          <bdi>{affiliate.name}</bdi>
        </Link>
        <span className={styles.change}>
          <bdi>{fromGroup?.name ?? t('moves.noGroup')}</bdi> → <bdi>{toGroup?.name ?? t('moves.noGroup')}</bdi>
        </span>
      </span>
      <span className={styles.volume}>
        {metric === 'conversions' ? (
          <>
            <Count value={volume} /> {t('moves.ordersOf', { count: volume })}
          </>
        ) : (
          <Money cents={volume} currency={currency} />
        )}
      </span>
    </li>
  );
}
