// Saves the present filters, sort and search of a screen under a name.
import { useTranslation } from 'react-i18next';
import { useAction } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Switch } from '../../../ui/form/choices.tsx';
import { TextInput } from '../../../ui/form/fields.tsx';
import { Form, useForm } from '../../../ui/form/form.tsx';
import { Sheet } from '../../../ui/overlay/sheet.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';

type Props = {
  isOpen: boolean;
  onClose: () => void;
  /** The screen whose view it is. */
  screen: string;
  query: Record<string, string | readonly string[]>;
  onSaved?: (id: string) => void;
};

export function SaveView({ isOpen, onClose, screen, query, onSaved }: Props) {
  const { t } = useTranslation('affiliate-table');
  const { id: programId } = useProgram();
  const form = useForm({ name: '', isShared: false });
  const create = useAction('savedViews.create', { invalidates: ['savedViews.list'] });
  const save = () =>
    create.mutate(
      { path: { programId }, body: { ...form.values, screen, state: { query: JSON.parse(JSON.stringify(query)) } } },
      {
        onSuccess: ({ id, name }) => {
          form.reset({ name: '', isShared: false });
          onSaved?.(id);
          onClose();
          showToast(t('view.saved', { name }));
        },
        onError: ({ message, details }) => form.setProblem({ message, details }),
      },
    );
  const buttons = (
    <Button kind="primary" type="submit" isBusy={create.isPending}>
      {t('view.save')}
    </Button>
  );
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t('view.saveTitle')}>
      <Form form={form} onSubmit={save} buttons={buttons}>
        <TextInput label={t('view.name')} {...form.field('name')} hasAutoFocus maxLength={60} />
        <Switch label={t('view.share')} help={t('view.shareHelp')} {...form.field('isShared')} />
      </Form>
    </Sheet>
  );
}
