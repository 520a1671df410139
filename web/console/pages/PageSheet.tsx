// One page: its state and its revisions, with who wrote and who decided on each.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useAction, useRead } from '../../api/queries.ts';
import { isolate } from '../../locales/isolate.ts';
import { useProgram } from '../../session/program.ts';
import { Loaded } from '../../states/loaded.tsx';
import { showProblem } from '../../states/show-problem.ts';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { Facts } from '../../ui/layout/card.tsx';
import { Row, Stack } from '../../ui/layout/stack.tsx';
import { Badge } from '../../ui/marks/tag.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { RevisionFrame } from '../review/page/Frames.tsx';
import styles from './pages.module.css';
import { DecisionText, type ListedPage, PageState, useActorName } from './use-columns.tsx';

type Props = {
  /** Null if it is not among the rows that are shown. */
  page: ListedPage | null;
  slug: string | null;
  onClose: () => void;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
};

export function PageSheet({ page, slug, onClose, onPrevious, onNext }: Props) {
  const { t } = useTranslation('pages');
  const { id: programId } = useProgram();
  const read = useRead(
    'landingPages.revisions',
    { path: { programId, slug: slug ?? '' }, query: { limit: 50 } },
    { enabled: slug !== null },
  );
  return (
    <Sheet
      isOpen={slug !== null}
      onClose={onClose}
      title={page?.pageTitle ?? t('title')}
      width="wide"
      onPrevious={onPrevious}
      onNext={onNext}
    >
      <Stack gap={20}>
        {page ? <Summary page={page} /> : null}
        <section aria-label={t('revisions')}>
          <h3 className={styles.title}>{t('revisions')}</h3>
          <Loaded read={read} what={t('whatOne')} skeleton={<SkeletonText lines={6} />}>
            {({ revisions }) => (
              <ol className={styles.revisions}>
                {revisions.map((revision) => (
                  <Revision key={revision.revision} revision={revision} />
                ))}
              </ol>
            )}
          </Loaded>
        </section>
      </Stack>
    </Sheet>
  );
}

function Summary({ page }: { page: ListedPage }) {
  const { t } = useTranslation('pages');
  const { href, can, slug: programSlug } = useProgram();
  const isShown = page.isLive && page.affiliateStatus === 'active';
  const rows = [
    { label: t('column.state'), value: <PageState page={page} /> },
    { label: t('column.affiliate'), value: page.affiliateName },
    { label: t('slug'), value: page.slug },
  ];
  return (
    <Stack gap={16}>
      <Facts rows={rows} columns={3} />
      <Row>
        {page.reviewStatus === 'draft' ? (
          <ButtonLink kind="primary" href={href(`review?kind=page&item=${page.id}`)}>
            {t('review')}
          </ButtonLink>
        ) : null}
        {isShown ? (
          <ButtonLink icon="external" href={`/s/${programSlug}/${page.slug}`} isNewTab>
            {t('openLive')}
          </ButtonLink>
        ) : null}
        {page.reviewStatus === 'approved' && can('pages.review') ? <PublishButton page={page} /> : null}
        <ButtonLink href={href(`affiliates/${page.affiliateId}`)}>{t('open')}</ButtonLink>
      </Row>
      <Preview key={page.slug} slug={page.slug} revision={page.revision} />
    </Stack>
  );
}

/** Takes an approved page offline, or puts it online again. */
function PublishButton({ page: { slug, isPublished, affiliateStatus, affiliateName } }: { page: ListedPage }) {
  const { t } = useTranslation('pages');
  const { id: programId } = useProgram();
  const { mutate, isPending } = useAction('landingPages.publish', { invalidates: ['landingPages.list'] });
  const isVisible = affiliateStatus === 'active';
  const done = isPublished ? t('unpublished') : t(isVisible ? 'published' : 'publishedInactive', { name: isolate(affiliateName) });
  const change = () =>
    mutate(
      { path: { programId, slug }, body: { isPublished: !isPublished } },
      {
        onSuccess: () => showToast(done, { icon: 'page' }),
        onError: showProblem,
      },
    );
  return (
    <Button isBusy={isPending} onClick={change}>
      {t(isPublished ? 'unpublish' : 'publish')}
    </Button>
  );
}

/** The page as visitors see it, or will see it. */
function Preview({ slug, revision }: { slug: string; revision: number }) {
  const { t } = useTranslation('pages');
  return (
    <section aria-label={t('preview')} className={styles.preview}>
      <RevisionFrame slug={slug} revision={revision} title={t('previewOf', { revision })} />
    </section>
  );
}

type ListedRevision = Result<'landingPages.revisions'>['revisions'][number];

function Revision({ revision }: { revision: ListedRevision }) {
  const { t } = useTranslation('pages');
  const nameOf = useActorName();
  const { decision, writtenBy } = revision;
  return (
    <li className={styles.revision}>
      <div className={styles.head}>
        <strong>{t('revision', { revision: revision.revision })}</strong>
        {revision.isCurrent ? <Badge>{t('current')}</Badge> : null}
        {revision.isApproved ? <Badge>{t('approvedMark')}</Badge> : null}
      </div>
      <div className={styles.line}>
        {writtenBy ? t('written', { name: nameOf(writtenBy) }) : null} <DateTime value={revision.createdAt} />
      </div>
      <div className={styles.line}>
        <DecisionText decision={decision} /> {decision ? <DateTime value={decision.decidedAt} /> : null}
      </div>
      {decision?.note ? <blockquote className={styles.note}>{decision.note}</blockquote> : null}
    </li>
  );
}
