// The join page of the program: its address, what it asks, the terms, and which applications need no review.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction, useRead } from '../../../api/queries.ts';
import { useProgram } from '../../../session/program.ts';
import { Loaded } from '../../../states/loaded.tsx';
import { Button, ButtonLink } from '../../../ui/controls/button.tsx';
import { Switch } from '../../../ui/form/choices.tsx';
import { useFaultText } from '../../../ui/form/fault-text.ts';
import { TextArea } from '../../../ui/form/fields.tsx';
import { Form, useForm } from '../../../ui/form/form.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { Stack } from '../../../ui/layout/stack.tsx';
import { CopyButton } from '../../../ui/marks/copy-button.tsx';
import { Status } from '../../../ui/marks/status.tsx';
import { showToast } from '../../../ui/overlay/toasts.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import { ApprovalCard } from './ApprovalCard.tsx';
import styles from './join-page.module.css';
import { type JoinForm, nestedErrorsOf, type Part, toUpdate, toValues } from './join-values.ts';
import { QuestionsCard } from './QuestionsCard.tsx';

export function Screen() {
  const { t } = useTranslation('join');
  const { id: programId, name } = useProgram();
  const read = useRead('joinForm.get', { path: { programId } });
  const isOpen = read.data?.isOpen;
  const status = (
    <Status tone={isOpen ? 'approved' : 'neutral'} icon={isOpen ? 'check' : 'pause'}>
      {isOpen ? t('open') : t('closed')}
    </Status>
  );
  return (
    <Page title={t('title')} lede={t('lede', { name })} width="reading" beside={isOpen === undefined ? undefined : status}>
      <Loaded
        read={read}
        what={t('what')}
        skeleton={
          <Card>
            <SkeletonText lines={8} />
          </Card>
        }
      >
        {(stored) => <Settings stored={stored} />}
      </Loaded>
    </Page>
  );
}

function Settings({ stored }: { stored: JoinForm }) {
  const { t } = useTranslation('join');
  const { id: programId } = useProgram();
  const faultText = useFaultText();
  const form = useForm(toValues(stored));
  const [nested, setNested] = useState<Readonly<Record<string, string>>>({});
  const update = useAction('joinForm.update', { invalidates: ['joinForm.get'] });
  const save = () =>
    update.mutate(
      { path: { programId }, body: toUpdate(form.values) },
      {
        onError: (error) => {
          setNested(nestedErrorsOf(error.details, faultText));
          form.setProblem(error);
        },
        onSuccess: (saved) => {
          setNested({});
          form.reset(toValues(saved));
          showToast(t('saved'));
        },
      },
    );
  return (
    <Form form={form} onSubmit={save}>
      <Stack gap={20}>
        <PageCard form={form} stored={stored} />
        <QuestionsCard form={form} errors={nested} />
        <TermsCard form={form} version={stored.termsVersion} />
        <ApprovalCard form={form} errors={nested} />
      </Stack>
      <div className={styles.bar} data-changed={form.hasChanges || undefined}>
        <span role="status">{form.hasChanges ? t('unsaved') : ''}</span>
        <Button kind="primary" type="submit" keys="mod+s" isBusy={update.isPending}>
          {t('save')}
        </Button>
      </div>
    </Form>
  );
}

function PageCard({ form, stored: { url, isOpen } }: Part & { stored: JoinForm }) {
  const { t } = useTranslation('join');
  const visit = (
    <ButtonLink href={new URL(url).pathname} size="small" icon="external">
      {t('page.visit')}
    </ButtonLink>
  );
  return (
    <Card title={t('page.title')} actions={isOpen ? visit : undefined}>
      <Stack gap={16}>
        <div className={styles.address}>
          <span>{t('page.address')}</span>
          <CopyButton value={url} isMono />
        </div>
        <Switch {...form.field('isOpen')} label={t('page.isOpen')} help={t('page.isOpenHelp')} />
        <TextArea {...form.field('intro')} label={t('page.intro')} help={t('page.introHelp')} maxLength={2000} rows={3} />
      </Stack>
    </Card>
  );
}

function TermsCard({ form, version }: Part & { version: number | null }) {
  const { t } = useTranslation('join');
  return (
    <Card title={t('terms.title')} detail={version === null ? t('terms.none') : t('terms.version', { version })}>
      <TextArea {...form.field('terms')} label={t('terms.text')} help={t('terms.help')} maxLength={20_000} rows={5} />
    </Card>
  );
}
