// Affiliates who ask for the erasure of their data: what is still owed, accepting, and rejecting with a reason.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useAction, useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { showProblem } from '../../../states/show-problem.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { Money } from '../../../ui/figures/money.tsx';
import { TextArea } from '../../../ui/form/fields.tsx';
import { Form, useForm } from '../../../ui/form/form.tsx';
import { Card, Facts } from '../../../ui/layout/card.tsx';
import { Link } from '../../../ui/layout/link.tsx';
import { Row, Stack, Text } from '../../../ui/layout/stack.tsx';
import { CodeBlock } from '../../../ui/marks/code-block.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';

type Request = Result<'erasureRequests.list'>['erasureRequests'][number];

export function ErasureRequests() {
  const { t } = useTranslation('data');
  const { id: programId } = useProgram();
  const { data } = useRead('erasureRequests.list', { path: { programId } });
  if (data === undefined || data.total === 0) return null;
  return (
    <Card title={t('erasure.title')}>
      <Stack gap={24}>
        <Text>{t('erasure.text')}</Text>
        {data.erasureRequests.map((request) => (
          <OneRequest key={request.id} request={request} />
        ))}
      </Stack>
    </Card>
  );
}

function OneRequest({ request }: { request: Request }) {
  const { t } = useTranslation('data');
  const { href } = useProgram();
  const { affiliateId, affiliateName, email, status, owedCents, currency, openPayouts, createdAt } = request;
  return (
    <Stack gap={12}>
      <Facts
        columns={2}
        rows={[
          {
            label: t('erasure.affiliate'),
            value: (
              <Link href={href(`affiliates/${affiliateId}`)}>
                <bdi>{affiliateName}</bdi>
              </Link>
            ),
          },
          { label: t('erasure.since'), value: <DateTime value={createdAt} as="date" /> },
          { label: t('erasure.owed'), value: <Money cents={owedCents} currency={currency} /> },
          { label: t('erasure.payouts'), value: openPayouts },
        ]}
      />
      {status === 'open' ? (
        <Decision request={request} />
      ) : (
        <>
          <Text>{t('erasure.accepted')}</Text>
          <CodeBlock code={`bin/tributary persons erase ${email}`} label={t('erasure.command')} />
        </>
      )}
    </Stack>
  );
}

function Decision({ request: { id, owedCents, openPayouts, affiliateName } }: { request: Request }) {
  const { t } = useTranslation('data');
  const { id: programId } = useProgram();
  const [isRejecting, setIsRejecting] = useState(false);
  const form = useForm({ note: '' });
  const decide = useAction('erasureRequests.decide', { invalidates: ['erasureRequests.list'] });
  const send = (decision: 'accepted' | 'rejected') =>
    decide.mutate(
      { path: { programId, id }, body: { decision, note: decision === 'rejected' ? form.values.note : null } },
      {
        onSuccess: () => showToast(t(`erasure.done.${decision}`, { name: affiliateName }), { tone: 'success' }),
        onError: (error) => (error.details.length > 0 ? form.setProblem(error) : showProblem(error)),
      },
    );
  if (isRejecting)
    return (
      <Form
        form={form}
        onSubmit={() => send('rejected')}
        buttons={
          <>
            <Button onClick={() => setIsRejecting(false)}>{t('erasure.cancel')}</Button>
            <Button kind="primary" type="submit" isBusy={decide.isPending}>
              {t('erasure.reject')}
            </Button>
          </>
        }
      >
        <TextArea {...form.field('note')} label={t('erasure.reason')} help={t('erasure.reasonHelp')} maxLength={1000} rows={3} isRequired />
      </Form>
    );
  const isBlocked = owedCents > 0 || openPayouts > 0;
  return (
    <Stack gap={8}>
      {isBlocked ? <Text tone="ink">{t('erasure.blocked')}</Text> : null}
      <Row>
        <Button kind="primary" isBusy={decide.isPending} disabled={isBlocked} onClick={() => send('accepted')}>
          {t('erasure.accept')}
        </Button>
        <Button onClick={() => setIsRejecting(true)}>{t('erasure.reject')}</Button>
      </Row>
    </Stack>
  );
}
