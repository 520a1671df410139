// Content that affiliates submitted, oldest first, and the decision on each.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useAction, useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Button } from '../../ui/controls/button.tsx';
import { useFigures } from '../../ui/figures/context.ts';
import { DateTime } from '../../ui/figures/date-time.tsx';
import { formatMoney } from '../../ui/figures/format.ts';
import { TextArea } from '../../ui/form/fields.tsx';
import { Form, useForm } from '../../ui/form/form.tsx';
import { Card, Facts, RowList } from '../../ui/layout/card.tsx';
import { Link } from '../../ui/layout/link.tsx';
import { Stack, Text } from '../../ui/layout/stack.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import styles from './bounties.module.css';
import { affected, type Bounty } from './bounty-values.ts';

type Submission = Result<'bountySubmissions.list'>['bountySubmissions'][number];

const shown = 50;

type Props = { bounties: readonly Bounty[]; openId: string | null; onOpen: (id: string | null) => void };

/** Nothing while no submission awaits a decision. */
export function Submissions({ bounties, openId, onOpen }: Props) {
  const { t } = useTranslation('bounties');
  const { id: programId, can } = useProgram();
  const { data } = useRead('bountySubmissions.list', {
    path: { programId },
    query: { status: ['open'], sort: 'createdAt', limit: shown, expand: 'affiliate' },
  });
  if (!data || data.bountySubmissions.length === 0) return null;
  const bountyOf = ({ bountyId }: Submission) => bounties.find(({ id }) => id === bountyId);
  const chosen = data.bountySubmissions.find(({ id }) => id === openId);
  return (
    <Card title={t('submissions.title')} detail={t('submissions.count', { count: data.total })}>
      <RowList>
        {data.bountySubmissions.map((submission) => (
          <li key={submission.id} className={styles.submission}>
            <div>
              <bdi>{submission.affiliate?.name}</bdi>
              <Text size="small" tone="ink-3">
                {bountyOf(submission)?.name} · <DateTime value={submission.createdAt} as="date" />
              </Text>
            </div>
            {can('claims.decide') ? (
              <Button size="small" onClick={() => onOpen(submission.id)}>
                {t('submissions.review', { name: submission.affiliate?.name })}
              </Button>
            ) : null}
          </li>
        ))}
      </RowList>
      {chosen ? <DecideSheet key={chosen.id} submission={chosen} bounty={bountyOf(chosen)} onClose={() => onOpen(null)} /> : null}
    </Card>
  );
}

type DecideProps = { submission: Submission; bounty: Bounty | undefined; onClose: () => void };

function DecideSheet({ submission, bounty, onClose }: DecideProps) {
  const { t } = useTranslation('bounties');
  const { id: programId, href } = useProgram();
  const { language } = useFigures();
  const form = useForm({ note: '' });
  const decide = useAction('bountySubmissions.decide', { invalidates: affected });
  const run = (decision: 'approved' | 'rejected') =>
    decide.mutate(
      { path: { programId, id: submission.id }, body: { decision, note: form.values.note.trim() || null } },
      {
        onSuccess: () => {
          showToast(t(`submissions.${decision}`), { tone: 'success' });
          onClose();
        },
        onError: (error) => form.setProblem(error),
      },
    );
  const reward = bounty ? formatMoney(bounty.rewardCents, bounty.currency, language) : '';
  const name = submission.affiliate?.name ?? '';
  const rows = [
    { label: t('submissions.affiliate'), value: <Link href={href(`affiliates/${submission.affiliateId}`)}>{name}</Link> },
    { label: t('submissions.bounty'), value: bounty?.name },
    { label: t('submissions.content'), value: <ContentLink url={submission.url} /> },
    ...(submission.note === null ? [] : [{ label: t('submissions.note'), value: submission.note }]),
  ];
  const buttons = (
    <>
      <Button kind="primary" type="submit" icon="check" isBusy={decide.isPending}>
        {t('submissions.approve', { reward })}
      </Button>
      <Button icon="close" isBusy={decide.isPending} onClick={() => run('rejected')}>
        {t('submissions.reject')}
      </Button>
    </>
  );
  return (
    <Sheet isOpen onClose={onClose} title={t('submissions.review', { name })} hasChanges={form.hasChanges}>
      <Stack gap={16}>
        <Facts rows={rows} />
        <Form form={form} onSubmit={() => run('approved')} buttons={buttons}>
          <TextArea {...form.field('note')} label={t('submissions.reply')} help={t('submissions.replyHelp')} maxLength={2000} />
        </Form>
      </Stack>
    </Sheet>
  );
}

/** Opens in a new tab, without telling the page where it was opened. */
function ContentLink({ url }: { url: string }) {
  return (
    <a className={styles.url} href={url} target="_blank" rel="noopener noreferrer">
      {url}
    </a>
  );
}
