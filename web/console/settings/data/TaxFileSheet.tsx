// The form of a tax file, which is downloaded after a recent sign-in. Faults are shown at their fields.
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RequestError } from '../../../api/errors.ts';
import { useRecentSignIn } from '../../../interventions/use-step-up.ts';
import { saveFile } from '../../../states/download.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useFigures } from '../../../ui/figures/context.ts';
import { Form, type FormState } from '../../../ui/form/form.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { Sheet } from '../../../ui/overlay/sheet.tsx';
import { listYears } from './tax-file.ts';

type Props<Values extends { year: string }> = {
  title: string;
  text: string;
  form: FormState<Values>;
  /** Loads the file, which is saved as `name`. */
  load: () => Promise<unknown>;
  name: string;
  onClose: () => void;
  /** The fields after the year. */
  children: ReactNode;
};

export function TaxFileSheet<Values extends { year: string }>({ title, text, form, load, name, onClose, children }: Props<Values>) {
  const { t } = useTranslation('data');
  const { now } = useFigures();
  const id = useId();
  const [isBusy, setIsBusy] = useState(false);
  useRecentSignIn(true, onClose);
  const save = async () => {
    setIsBusy(true);
    try {
      const file = await load();
      if (file instanceof Blob) saveFile(file, name);
      onClose();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      form.setProblem(error);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={title}
      footer={
        <Button kind="primary" type="submit" form={id} isBusy={isBusy} icon="download">
          {t('files.download')}
        </Button>
      }
    >
      <Form form={form} id={id} onSubmit={() => void save()}>
        <Stack gap={16}>
          <Text>{text}</Text>
          <Select {...form.field('year')} label={t('files.year')} options={listYears(now)} />
          {children}
        </Stack>
      </Form>
    </Sheet>
  );
}
