// Archives a group, and says what happens to its members: they stay, or move to another group.
import { useTranslation } from 'react-i18next';
import { useAction, useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Form, useForm } from '../../ui/form/form.tsx';
import { Select } from '../../ui/form/select.tsx';
import { Text } from '../../ui/layout/stack.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { affected } from './affected.ts';
import type { Group } from './use-columns.tsx';

const stay = 'stay';
const none = 'none';

export function ArchiveForm({ group: { id, name, affiliateCount }, onDone }: { group: Group; onDone: () => void }) {
  const { t } = useTranslation('groups');
  const { id: programId } = useProgram();
  const form = useForm<{ moveToGroupId: string | null }>({ moveToGroupId: stay });
  const path = { programId };
  const read = useRead('groups.list', { path, query: { limit: 200, status: ['active'], sort: 'name' } });
  const update = useAction('groups.update', { invalidates: affected });
  const others = read.data?.groups.filter((group) => group.id !== id) ?? [];
  const options = [
    { value: stay, label: t('archive.stay') },
    { value: none, label: t('archive.none') },
    ...others.map((group) => ({ value: group.id, label: t('archive.to', { name: group.name }) })),
  ];
  const submit = () => {
    const { moveToGroupId: chosen } = form.values;
    const target = chosen === stay || chosen === null ? undefined : chosen === none ? null : chosen;
    update.mutate(
      { path: { programId, id }, body: { status: 'archived', moveToGroupId: affiliateCount === 0 ? undefined : target } },
      {
        onSuccess: () => {
          showToast(t('archive.done', { name }));
          onDone();
        },
        onError: (error) => form.setProblem(error),
      },
    );
  };
  const buttons = (
    <>
      <Button kind="primary" type="submit" icon="archive" isBusy={update.isPending}>
        {t('archive.submit', { name })}
      </Button>
      <Button onClick={onDone}>{t('cancel')}</Button>
    </>
  );
  return (
    <Form form={form} onSubmit={submit} buttons={buttons}>
      <Text>{t('archive.text')}</Text>
      {affiliateCount === 0 ? null : (
        <Select
          {...form.field('moveToGroupId')}
          label={t('archive.members', { count: affiliateCount })}
          help={t('archive.help')}
          options={options}
        />
      )}
    </Form>
  );
}
