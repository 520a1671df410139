// Connecting a payout provider or a store: what it is, its settings, and the secret that Tributary generated for it.
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Input } from '../../../api/call.ts';
import { useAction } from '../../../api/queries.ts';
import { useStepUp } from '../../../interventions/use-step-up.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextInput } from '../../../ui/form/fields.tsx';
import { Form, useForm } from '../../../ui/form/form.tsx';
import { Select } from '../../../ui/form/select.tsx';
import { Row, Stack, Text } from '../../../ui/layout/stack.tsx';
import { CopyButton } from '../../../ui/marks/copy-button.tsx';
import { Sheet } from '../../../ui/overlay/sheet.tsx';
import { attempt } from './attempt.ts';
import { type Connectable, getConnectable, listConnectable, type ProviderKind, type ProviderType } from './catalogue.ts';
import styles from './connections.module.css';
import { SettingFields } from './SettingFields.tsx';
import { type Mode, settingsAt, toNewSettings, toValues, withMode } from './setting-values.ts';

type Props = { kind: ProviderKind; isOpen: boolean; onClose: () => void; onConnected: (id: string) => void };
type Created = { id: string; secret: string | null };

export function ConnectSheet({ kind, isOpen, onClose, onConnected }: Props) {
  const { t } = useTranslation('connections');
  const [type, setType] = useState<ProviderType | null>(null);
  const [created, setCreated] = useState<Created | null>(null);
  const [hasChanges, setHasChanges] = useState(false);
  const formId = useId();
  const close = () => {
    setType(null);
    setCreated(null);
    setHasChanges(false);
    onClose();
  };
  const finish = (id: string) => {
    close();
    onConnected(id);
  };
  const latest = useRef(finish);
  latest.current = finish;
  // Leaves once the form is gone: it would ask whether its changes are discarded.
  useEffect(() => {
    if (created !== null && created.secret === null) latest.current(created.id);
  }, [created]);
  useStepUp(isOpen, close);
  const connectable = type === null ? null : getConnectable(type);
  const footer = (
    <Row>
      <Button kind="primary" type="submit" form={formId}>
        {t('connect.submit')}
      </Button>
      <Button kind="quiet" onClick={() => setType(null)}>
        {t('connect.back')}
      </Button>
    </Row>
  );
  return (
    <Sheet
      isOpen={isOpen}
      onClose={close}
      title={type === null ? t(`connect.title.${kind}`) : t('connect.titleOf', { type: t(`type.${type}`) })}
      hasChanges={hasChanges || (created?.secret ?? null) !== null}
      footer={connectable !== null && created === null ? footer : undefined}
    >
      {created !== null ? (
        created.secret === null ? null : (
          <GeneratedSecret secret={created.secret} onDone={() => finish(created.id)} />
        )
      ) : connectable === null ? (
        <TypeList kind={kind} onChoose={setType} />
      ) : (
        <NewProvider key={connectable.type} connectable={connectable} formId={formId} onChanged={setHasChanges} onCreated={setCreated} />
      )}
    </Sheet>
  );
}

function TypeList({ kind, onChoose }: { kind: ProviderKind; onChoose: (type: ProviderType) => void }) {
  const { t } = useTranslation('connections');
  const { mode } = useProgram();
  return (
    <ul className={styles.types}>
      {listConnectable(kind, mode).map(({ type }) => (
        <li key={type}>
          <button type="button" className={styles.type} onClick={() => onChoose(type)}>
            <span className={styles.name}>{t(`type.${type}`)}</span>
            <span className={styles.detail}>{t(`about.${type}`)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

type NewProps = {
  connectable: Connectable;
  formId: string;
  onChanged: (hasChanges: boolean) => void;
  onCreated: (created: Created) => void;
};

function NewProvider({ connectable, formId, onChanged, onCreated }: NewProps) {
  const { t } = useTranslation('connections');
  const { id: programId, mode } = useProgram();
  const { type, generates } = connectable;
  const [initial] = useState(() => toValues(connectable, null, mode, t(`type.${type}`)));
  const form = useForm(initial);
  const { hasChanges } = form;
  useEffect(() => onChanged(hasChanges), [onChanged, hasChanges]);
  const create = useAction('providers.create', { invalidates: ['providers.list', 'overview.get'] });
  const settings = settingsAt(connectable, 'create');
  const submit = () =>
    attempt(async () => {
      const { name, mode: chosen } = form.values;
      // The settings depend on the type, and only the server knows all of its rules.
      const body = { type, name, mode: chosen, ...toNewSettings(settings, form.values) } as Input<'providers.create'>['body'];
      const { id, generatedSecrets } = await create.mutateAsync({ path: { programId }, body });
      form.reset(initial);
      onCreated({ id, secret: generates === undefined ? null : (generatedSecrets[generates] ?? null) });
    }, form);
  const setMode = (next: Mode | null) => {
    if (next !== null) form.setValues(withMode(connectable, form.values, next));
  };
  const hasMoney = type !== 'manual' && type !== 'csv';
  return (
    <Form form={form} id={formId} onSubmit={() => void submit()}>
      <Text>{t(`before.${type}`)}</Text>
      <TextInput {...form.field('name')} label={t('field.name')} help={t('field.nameHelp')} maxLength={100} isRequired />
      {hasMoney ? (
        <Select
          {...form.field('mode')}
          onChange={setMode}
          label={t('field.mode')}
          help={t(`field.modeHelp.${connectable.kind}`)}
          options={(['live', 'test'] as const).map((value) => ({ value, label: t(`mode.${value}`) }))}
        />
      ) : null}
      <SettingFields settings={settings} form={form} provider={null} />
    </Form>
  );
}

function GeneratedSecret({ secret, onDone }: { secret: string; onDone: () => void }) {
  const { t } = useTranslation('connections');
  return (
    <Stack gap={16}>
      <Text>{t('generated.text')}</Text>
      <div>
        <CopyButton value={secret} isMono />
      </div>
      <div>
        <Button kind="primary" onClick={onDone}>
          {t('generated.done')}
        </Button>
      </div>
    </Stack>
  );
}
