// The affiliate's account: name, language, how they sign in and where, and leaving the program.
import { useTranslation } from 'react-i18next';
import type { Result } from '../../api/call.ts';
import { useAction, useRead } from '../../api/queries.ts';
import { type Language, languages } from '../../locales/load.ts';
import { PasskeysCard } from '../../security/PasskeysCard.tsx';
import { SessionsCard } from '../../security/SessionsCard.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { TextInput } from '../../ui/form/fields.tsx';
import { FieldRow, Form, useForm } from '../../ui/form/form.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { Stack, Text } from '../../ui/layout/stack.tsx';
import { Segments } from '../../ui/layout/tabs.tsx';
import { showToast } from '../../ui/overlay/toasts.tsx';
import { SkeletonText } from '../../ui/states/skeleton.tsx';
import { type SchemeChoice, useColorScheme } from '../../ui/theme/color-scheme.ts';
import { useAccount } from '../session/account.ts';
import { chooseLanguage, languageNames, useSignOut } from '../shell/use-account-items.ts';
import styles from './account.module.css';
import { EmailsCard } from './EmailsCard.tsx';
import { ErasureCard } from './ErasureCard.tsx';
import { LeaveCard } from './LeaveCard.tsx';
import { OwnDataCard } from './OwnDataCard.tsx';

type Account = Result<'portal.account'>;

export function Screen() {
  const { t } = useTranslation('portal-account');
  const { t: tShell } = useTranslation('shell');
  const { programId, user, view, isOnSite } = useAccount();
  const read = useRead('portal.account', { path: { programId } });
  const signOut = useSignOut();
  return (
    <Page
      title={t('title')}
      lede={view === null ? user.email : read.data?.email}
      width="reading"
      actions={
        <Button icon="signOut" onClick={() => void signOut()}>
          {tShell('user.signOut')}
        </Button>
      }
    >
      <Loaded
        read={read}
        what={t('what')}
        skeleton={
          <Card>
            <SkeletonText lines={4} />
          </Card>
        }
      >
        {(account) => (
          <>
            <NameCard account={account} />
            <EmailsCard account={account} />
          </>
        )}
      </Loaded>
      <AppearanceCard />
      {view === null && !isOnSite ? <Security /> : null}
      {view === null ? <OwnDataCard /> : null}
      {view === null ? <ErasureCard /> : null}
      {read.data && read.data.status !== 'archived' ? <LeaveCard account={read.data} /> : null}
    </Page>
  );
}

/** How the user signs in and where. Hidden in a view as an affiliate, because it would show the member's own data. */
function Security() {
  return (
    <>
      <PasskeysCard />
      <SessionsCard />
    </>
  );
}

function NameCard({ account: { firstName, lastName } }: { account: Account }) {
  const { t } = useTranslation('portal-account');
  const { programId, programName } = useAccount();
  const form = useForm({ firstName, lastName });
  const save = useAction('portal.updateAccount', { invalidates: ['portal.account'] });
  const submit = () =>
    save.mutate(
      { path: { programId }, body: form.values },
      {
        onSuccess: (saved) => {
          form.reset({ firstName: saved.firstName, lastName: saved.lastName });
          showToast(t('name.saved'));
        },
        onError: form.setProblem,
      },
    );
  return (
    <Card title={t('name.title')}>
      <Form
        form={form}
        onSubmit={submit}
        buttons={
          <Button kind="primary" type="submit" isBusy={save.isPending} disabled={!form.hasChanges}>
            {t('name.save')}
          </Button>
        }
      >
        <FieldRow>
          <TextInput {...form.field('firstName')} label={t('name.first')} autoComplete="given-name" maxLength={100} isRequired />
          <TextInput {...form.field('lastName')} label={t('name.last')} autoComplete="family-name" maxLength={100} isRequired />
        </FieldRow>
        <Text size="small" tone="ink-3">
          {t('name.help', { program: programName })}
        </Text>
      </Form>
    </Card>
  );
}

function AppearanceCard() {
  const { t } = useTranslation('portal-account');
  const { t: tShell, i18n } = useTranslation('shell');
  const { choice, choose } = useColorScheme();
  const schemes: { id: SchemeChoice; label: string }[] = [
    { id: 'auto', label: tShell('user.schemeAuto') },
    { id: 'light', label: tShell('user.schemeLight') },
    { id: 'dark', label: tShell('user.schemeDark') },
  ];
  return (
    <Card title={t('appearance.title')}>
      <Stack gap={16}>
        <Stack gap={8}>
          <span className={styles.label}>{tShell('user.language')}</span>
          <div>
            <Segments
              label={tShell('user.language')}
              tabs={languages.map((id) => ({ id, label: languageNames[id] }))}
              value={i18n.language as Language}
              onChange={chooseLanguage}
            />
          </div>
          <Text size="small" tone="ink-3">
            {t('appearance.languageHelp')}
          </Text>
        </Stack>
        <Stack gap={8}>
          <span className={styles.label}>{tShell('user.scheme')}</span>
          <div>
            <Segments label={tShell('user.scheme')} tabs={schemes} value={choice} onChange={choose} />
          </div>
        </Stack>
      </Stack>
    </Card>
  );
}
