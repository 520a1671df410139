// The postbacks of an affiliate: where events are sent and whether they arrive. Members see only the host, and can block one.
import { useTranslation } from 'react-i18next';
import { type Read, useAction, useRead } from '../../../../api/queries.ts';
import { useProgram } from '../../../../session/program.ts';
import { Loaded } from '../../../../states/loaded.tsx';
import { showProblem } from '../../../../states/show-problem.ts';
import { Button } from '../../../../ui/controls/button.tsx';
import { DateTime } from '../../../../ui/figures/date-time.tsx';
import type { IconName } from '../../../../ui/icons.tsx';
import { Card, RowList } from '../../../../ui/layout/card.tsx';
import { Text } from '../../../../ui/layout/stack.tsx';
import { Status, type Tone } from '../../../../ui/marks/status.tsx';
import { showToast } from '../../../../ui/overlay/toasts.tsx';
import { Skeleton } from '../../../../ui/states/skeleton.tsx';
import styles from '../affiliate.module.css';

type Postback = NonNullable<Read<'appAffiliates.postbacks'>['data']>['postbacks'][number];

const marks: Record<'active' | 'failing' | 'paused' | 'disabled' | 'blocked', [Tone, IconName]> = {
  active: ['approved', 'check'],
  failing: ['held', 'warning'],
  paused: ['neutral', 'pause'],
  disabled: ['reversed', 'close'],
  blocked: ['reversed', 'close'],
};

export function Postbacks({ affiliateId }: { affiliateId: string }) {
  const { t } = useTranslation('affiliate');
  const { id: programId } = useProgram();
  const read = useRead('appAffiliates.postbacks', { path: { programId, affiliateId } });
  return (
    <Card title={t('postbacks.title')} detail={read.data?.isAllowed === false ? t('postbacks.off') : undefined} isFlush>
      <Loaded read={read} what={t('postbacks.title')} skeleton={<Skeleton shape="block" height={56} />}>
        {({ postbacks }) =>
          postbacks.length === 0 ? (
            <div className={styles.couponRow}>
              <Text tone="ink-3">{t('postbacks.none')}</Text>
            </div>
          ) : (
            <RowList>
              {postbacks.map((postback) => (
                <PostbackRow key={postback.id} affiliateId={affiliateId} postback={postback} />
              ))}
            </RowList>
          )
        }
      </Loaded>
    </Card>
  );
}

type RowProps = { affiliateId: string; postback: Postback };

function PostbackRow({ affiliateId, postback }: RowProps) {
  const { t } = useTranslation('affiliate');
  const { can } = useProgram();
  const { host, method, eventTypes, status, disabledReason, failingSinceAt } = postback;
  const state = disabledReason === 'program' ? 'blocked' : status === 'active' && failingSinceAt !== null ? 'failing' : status;
  const [tone, icon] = marks[state];
  return (
    <li className={styles.postback}>
      <div className={styles.postbackText}>
        <div className={styles.postbackHost}>
          <span className={styles.method}>{method}</span> {host}
        </div>
        <div className={styles.couponFacts}>
          {eventTypes.map((event) => t(`postbacks.event.${event.replace('.', '_') as 'lead_created'}`)).join(' · ')}
        </div>
        <div className={styles.couponFacts}>
          <Deliveries postback={postback} />
        </div>
      </div>
      <div>
        <Status tone={tone} icon={icon}>
          {t(`postbacks.state.${state}`)}
        </Status>
      </div>
      {can('affiliates.write') ? <BlockButton affiliateId={affiliateId} postback={postback} /> : null}
    </li>
  );
}

/** When the last delivery arrived, and when the last one did not. */
function Deliveries({ postback: { lastSucceededAt, lastFailedAt, disabledReason } }: { postback: Postback }) {
  const { t } = useTranslation('affiliate');
  const isFailing = lastFailedAt !== null && (lastSucceededAt === null || lastFailedAt > lastSucceededAt);
  return (
    <>
      {lastSucceededAt === null ? (
        t('postbacks.never')
      ) : (
        <>
          {t('postbacks.delivered')} <DateTime value={lastSucceededAt} />
        </>
      )}
      {isFailing ? (
        <>
          {' · '}
          {t('postbacks.failed')} <DateTime value={lastFailedAt} />
        </>
      ) : null}
      {disabledReason === 'gone' || disabledReason === 'failing' ? ` · ${t(`postbacks.reason.${disabledReason}`)}` : null}
    </>
  );
}

function BlockButton({ affiliateId, postback: { id, host, disabledReason } }: RowProps) {
  const { t } = useTranslation('affiliate');
  const { id: programId } = useProgram();
  const change = useAction('appAffiliates.blockPostback', { invalidates: ['appAffiliates.postbacks'] });
  const isBlocked = disabledReason === 'program';
  const action = t(isBlocked ? 'postbacks.allow' : 'postbacks.block');
  const toggle = () =>
    change.mutate(
      { path: { programId, affiliateId, id }, body: { isBlocked: !isBlocked } },
      {
        onSuccess: () => showToast(t(isBlocked ? 'postbacks.allowed' : 'postbacks.blocked', { host })),
        onError: showProblem,
      },
    );
  return (
    <Button size="small" isBusy={change.isPending} aria-label={`${action}: ${host}`} onClick={toggle}>
      {action}
    </Button>
  );
}
