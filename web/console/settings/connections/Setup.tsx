// The steps after the keys of a connection are stored: let events arrive, check the keys, see the first event.
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Input, Result } from '../../../api/call.ts';
import { useAction } from '../../../api/queries.ts';
import { useStepUp } from '../../../interventions/use-step-up.ts';
import { useProgram } from '../../../session/program.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Form, useForm } from '../../../ui/form/form.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { Link } from '../../../ui/layout/link.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { CopyButton } from '../../../ui/marks/copy-button.tsx';
import { Notice } from '../../../ui/states/problem.tsx';
import { attempt } from './attempt.ts';
import { getConnectable, getGuide, type Provider } from './catalogue.ts';
import styles from './connections.module.css';
import { FirstEvent } from './FirstEvent.tsx';
import { SettingFields } from './SettingFields.tsx';
import { settingsAt, toChangedSettings, toValues, withoutSecrets } from './setting-values.ts';

export function Setup({ provider, canWrite }: { provider: Provider; canWrite: boolean }) {
  const { t } = useTranslation('connections');
  const connectable = getConnectable(provider.type);
  const [tested, setTested] = useState<boolean | null>(null);
  const hasEvents = connectable.topics.length > 0;
  const settings = settingsAt(connectable, 'events');
  const configured: readonly string[] = provider.configuredSecrets;
  const isSet = settings.every(({ name, part }) => (part === 'secrets' ? configured.includes(name) : name in provider.config));
  return (
    <ol className={styles.steps}>
      {hasEvents ? (
        <Step title={t('step.events')} isDone={isSet && (settings.length > 0 || provider.lastEventAt !== null)}>
          <Text>{t(`events.${provider.type}`)}</Text>
          <dl className={styles.paste}>
            <dt>{t('step.address')}</dt>
            <dd>
              <CopyButton value={provider.eventsUrl} isMono />
            </dd>
            <dt>{t('step.topics')}</dt>
            <dd className={styles.topics}>
              {connectable.topics.map((topic) => (
                <code key={topic}>{topic}</code>
              ))}
            </dd>
          </dl>
          {settings.length > 0 && canWrite ? <EventSettings provider={provider} /> : null}
          <Text>
            <Link href={getGuide(provider)} target="_blank">
              {t('step.guide', { type: t(`type.${provider.type}`) })}
            </Link>
          </Text>
        </Step>
      ) : null}
      {connectable.settings.length > 0 || provider.type === 'external_webhook' || provider.kind === 'commerce' ? (
        <Step title={t('step.check')} isDone={tested ?? (provider.lastEventAt !== null && provider.lastError === null)}>
          <Check provider={provider} canWrite={canWrite} onTested={setTested} />
        </Step>
      ) : null}
      {hasEvents ? (
        <Step title={t('step.first')} isDone={provider.lastEventAt !== null}>
          <FirstEvent provider={provider} />
        </Step>
      ) : null}
    </ol>
  );
}

function Step({ title, isDone, children }: { title: string; isDone: boolean; children: ReactNode }) {
  const { t } = useTranslation('connections');
  return (
    <li className={styles.step} data-done={isDone || undefined}>
      <h3 className={styles.stepTitle}>
        {title}
        {isDone ? (
          <span className={styles.done}>
            <Icon name="check" size={16} />
            {t('step.done')}
          </span>
        ) : null}
      </h3>
      <Stack gap={12}>{children}</Stack>
    </li>
  );
}

/** What the connected system shows once it has the address: its signing secret or id. */
function EventSettings({ provider }: { provider: Provider }) {
  const { t } = useTranslation('connections');
  const { id: programId } = useProgram();
  const formId = useId();
  const connectable = getConnectable(provider.type);
  const settings = settingsAt(connectable, 'events');
  const [saved, setSaved] = useState(() => toValues(connectable, provider, provider.mode, provider.name));
  const form = useForm(saved);
  const update = useAction('providers.update', { invalidates: ['providers.list', 'providers.get'] });
  useStepUp(form.hasChanges, () => form.reset(saved));
  const submit = () =>
    attempt(async () => {
      const body = toChangedSettings(settings, form.values, saved) as Input<'providers.update'>['body'];
      await update.mutateAsync({ path: { programId, id: provider.id }, body });
      const stored = withoutSecrets(connectable, form.values);
      setSaved(stored);
      form.reset(stored);
    }, form);
  return (
    <Form
      form={form}
      id={formId}
      onSubmit={() => void submit()}
      buttons={
        <Button type="submit" isBusy={update.isPending} disabled={!form.hasChanges}>
          {t('step.save')}
        </Button>
      }
    >
      <SettingFields settings={settings} form={form} provider={provider} />
    </Form>
  );
}

type CheckProps = { provider: Provider; canWrite: boolean; onTested: (works: boolean) => void };

function Check({ provider, canWrite, onTested }: CheckProps) {
  const { t } = useTranslation('connections');
  const { id: programId } = useProgram();
  const [result, setResult] = useState<Result<'providers.test'> | null>(null);
  const test = useAction('providers.test', { invalidates: ['providers.list', 'providers.get'] });
  const run = () =>
    attempt(async () => {
      const tested = await test.mutateAsync({ path: { programId, id: provider.id } });
      setResult(tested);
      onTested(tested.works);
    });
  return (
    <>
      <Text>{t(`check.${provider.kind}`)}</Text>
      {canWrite ? (
        <div>
          <Button icon="refresh" isBusy={test.isPending} onClick={() => void run()}>
            {t('check.action')}
          </Button>
        </div>
      ) : null}
      <div role="status">
        {result === null ? null : result.works ? (
          <Notice icon="check" title={t('check.works')}>
            {t(`check.code.${result.code}`)}
          </Notice>
        ) : (
          <Notice icon="warning" tone="error" title={t('check.failed')}>
            {t(`check.code.${result.code}`)}
            {result.code === 'provider_error' ? <Text>{result.message}</Text> : null}
          </Notice>
        )}
        {result === null && provider.lastError !== null ? (
          <Notice icon="warning" tone="held" title={t('check.lastError')}>
            {provider.lastError}
          </Notice>
        ) : null}
      </div>
    </>
  );
}
