// A new link: its name, and the page that it opens.
import { useTranslation } from 'react-i18next';
import { useAction } from '../../api/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextInput } from '../../ui/form/fields.tsx';
import { Form, useForm } from '../../ui/form/form.tsx';
import { Sheet } from '../../ui/overlay/sheet.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { useAccount } from '../session/account.ts';
import { useCopy } from '../share/use-share.ts';

const empty = { name: '', destination: '' };

type Props = { isOpen: boolean; onClose: () => void; allowedHosts: readonly string[] };

export function NewLinkSheet({ isOpen, onClose, allowedHosts }: Props) {
  const { t, i18n } = useTranslation('portal-links');
  const { programId } = useAccount();
  const form = useForm(empty);
  const copy = useCopy();
  const create = useAction('portal.createLink', { invalidates: ['portal.links'] });
  const hosts = new Intl.ListFormat(i18n.language, { type: 'disjunction' }).format(allowedHosts);
  const close = () => {
    form.reset(empty);
    onClose();
  };
  const submit = () => {
    const { name, destination } = form.values;
    create.mutate(
      { path: { programId }, body: { name, destination: destination.trim() === '' ? null : destination } },
      {
        onSuccess: ({ url }) => {
          close();
          void copy.start(url);
          showToast(t('new.created'));
        },
        onError: ({ code, message, details }) =>
          form.setProblem(
            code === 'host_not_allowed'
              ? { message, details: [{ path: ['destination'], message: t(hosts === '' ? 'new.noHosts' : 'new.wrongHost', { hosts }) }] }
              : { message, details },
          ),
      },
    );
  };
  return (
    <Sheet isOpen={isOpen} onClose={close} title={t('new.title')} detail={t('new.text')} hasChanges={form.hasChanges}>
      <Form
        form={form}
        onSubmit={submit}
        buttons={
          <Button kind="primary" type="submit" isBusy={create.isPending}>
            {t('new.submit')}
          </Button>
        }
      >
        <TextInput {...form.field('name')} label={t('new.name')} help={t('new.nameHelp')} maxLength={60} isRequired hasAutoFocus />
        {allowedHosts.length === 0 ? null : (
          <TextInput
            {...form.field('destination')}
            type="url"
            inputMode="url"
            label={t('new.destination')}
            help={t('new.destinationHelp', { hosts })}
            placeholder={`https://${allowedHosts[0]}/`}
          />
        )}
      </Form>
    </Sheet>
  );
}
