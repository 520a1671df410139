// The address that emails of the program come from, and the DNS records that it needs.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useAction, useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { showProblem } from '../../../states/show-problem.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextInput } from '../../../ui/form/fields.tsx';
import { Form, useForm } from '../../../ui/form/form.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Row, Stack, Text } from '../../../ui/layout/stack.tsx';
import { Status, type Tone } from '../../../ui/marks/status.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import { DnsRecords } from '../domains/DnsRecords.tsx';

type Sender = Result<'emailSender.get'>;

/** Shows the results of scheduled checks soon. */
const refreshMs = 10_000;

export function SenderAddress() {
  const { t } = useTranslation('emails');
  const { id: programId } = useProgram();
  const read = useRead('emailSender.get', { path: { programId } }, { refreshMs });
  return (
    <Card title={t('address.title')} detail={t('address.detail')}>
      <Loaded read={read} what={t('address.title')} skeleton={<SkeletonText lines={3} />}>
        {(sender) => (sender.isAvailable ? <Address key={sender.address} sender={sender} /> : <Text>{t('address.unavailable')}</Text>)}
      </Loaded>
    </Card>
  );
}

function Address({ sender }: { sender: Sender }) {
  const { t } = useTranslation('emails');
  const { id: programId } = useProgram();
  const form = useForm({ address: sender.address ?? '' });
  const save = useAction('emailSender.update', { invalidates: ['emailSender.get', 'emailPreview.get'] });
  const submit = () =>
    save.mutate(
      { path: { programId }, body: { address: form.values.address.trim() || null } },
      { onSuccess: () => showToast(t('address.saved')), onError: form.setProblem },
    );
  return (
    <Stack gap={16}>
      <Form
        form={form}
        onSubmit={submit}
        buttons={
          <Button kind="primary" type="submit" isBusy={save.isPending} disabled={!form.hasChanges}>
            {t('address.save')}
          </Button>
        }
      >
        <TextInput
          {...form.field('address')}
          label={t('address.label')}
          help={t('address.help')}
          type="email"
          placeholder="partners@example.com"
          maxLength={254}
        />
      </Form>
      {sender.status === 'off' ? null : <SenderState sender={sender} />}
    </Stack>
  );
}

const tones: Record<Exclude<Sender['status'], 'off'>, Tone> = { pending: 'pending', active: 'approved', misconfigured: 'held' };
const icons = { pending: 'clock', active: 'check', misconfigured: 'warning' } as const;

function SenderState({ sender: { status, problem, records } }: { sender: Sender }) {
  const { t } = useTranslation('emails');
  const { id: programId } = useProgram();
  const check = useAction('emailSender.check', { invalidates: ['emailSender.get', 'emailPreview.get'] });
  if (status === 'off') return null;
  return (
    <Stack gap={12}>
      <Row>
        <Status tone={tones[status]} icon={icons[status]}>
          {t(`address.status.${status}`)}
        </Status>
        <Button
          size="small"
          icon="refresh"
          isBusy={check.isPending}
          onClick={() => check.mutate({ path: { programId } }, { onError: showProblem })}
        >
          {t('address.check')}
        </Button>
      </Row>
      {problem === null ? null : <Text size="small">{t(`address.problem.${problem}`)}</Text>}
      {status === 'active' ? null : <DnsRecords records={records} />}
    </Stack>
  );
}
