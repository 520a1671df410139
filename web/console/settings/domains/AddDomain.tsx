import { useTranslation } from 'react-i18next';
import type { Input } from '../../../api/call.ts';
import { useAction } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextInput } from '../../../ui/form/fields.tsx';
import { Form, useForm } from '../../../ui/form/form.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Stack } from '../../../ui/layout/stack.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';

type Values = NonNullable<Input<'domains.create'>['body']>;
const empty: Values = { host: '', purpose: 'links' };
const purposes = ['links', 'portal', 'storefronts'] as const;

/** Adds a domain, whose DNS records are then shown in the list. */
export function AddDomain() {
  const { t } = useTranslation('domains');
  const { id: programId } = useProgram();
  const form = useForm(empty);
  const create = useAction('domains.create', { invalidates: ['domains.list'] });
  const submit = () => {
    const onSuccess = () => {
      showToast(t('added', { host: form.values.host }));
      form.reset(empty);
    };
    create.mutate({ path: { programId }, body: form.values }, { onSuccess, onError: form.setProblem });
  };
  const options = purposes.map((value) => ({ value, label: t(`purpose.${value}`) }));
  return (
    <Card title={t('add')}>
      <Form form={form} onSubmit={submit}>
        <Stack gap={16}>
          <Select {...form.field('purpose')} label={t('purposeLabel')} help={t(`about.${form.values.purpose}`)} options={options} />
          <TextInput
            {...form.field('host')}
            label={t('host')}
            help={t('hostHelp')}
            placeholder="go.example.com"
            isMono
            isRequired
            maxLength={253}
          />
          <div>
            <Button type="submit" icon="plus" isBusy={create.isPending}>
              {t('add')}
            </Button>
          </div>
        </Stack>
      </Form>
    </Card>
  );
}
