// All programs of a user: their figures in one table, and what awaits a decision in any of them.
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../session/me.ts';
import { Button } from '../../ui/controls/button.tsx';
import { useNavigate } from '../../ui/layout/link.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { Stack } from '../../ui/layout/stack.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { useSearchState } from '../../url/search-state.ts';
import { AllReviews } from './AllReviews.tsx';
import { CreateProgram } from './CreateProgram.tsx';
import { Deletions } from './Deletions.tsx';
import { ProgramFigures } from './ProgramFigures.tsx';
import { readPlace, type View, views } from './program-table.ts';
import styles from './programs.module.css';

const panelId = 'programs-panel';

export function Screen() {
  const { t } = useTranslation(['programs', 'shell']);
  const { data: me } = useMe();
  const navigate = useNavigate();
  const [{ view, isCreating }] = useSearchState(readPlace);
  useEffect(() => {
    document.title = `${t('programs:title')} · ${t('shell:app')}`;
  }, [t]);
  if (!me) return null;
  const { programs, programDeletions, programOrganizations } = me;
  const mayCreate = programOrganizations.length > 0;
  const deletions = programDeletions.length === 0 ? null : <Deletions deletions={programDeletions} />;
  return (
    <main className={styles.programs}>
      {programs.length === 0 ? (
        <NoPrograms mayCreate={mayCreate} hasDeletions={deletions !== null}>
          {deletions}
        </NoPrograms>
      ) : (
        <Page
          title={t('programs:title')}
          lede={t(view === 'programs' ? 'programs:page.lede' : 'programs:page.reviewLede')}
          face="display"
          width="full"
          hasContours
          actions={mayCreate ? <CreateButton /> : undefined}
        >
          <Stack gap={32}>
            <Views view={view} />
            {deletions}
          </Stack>
        </Page>
      )}
      {isCreating && mayCreate ? (
        <CreateProgram organizations={programOrganizations} programs={programs} onClose={() => navigate('/console?all=1')} />
      ) : null}
    </main>
  );
}

type NoProgramsProps = { mayCreate: boolean; hasDeletions: boolean; children: ReactNode };

function NoPrograms({ mayCreate, hasDeletions, children }: NoProgramsProps) {
  const { t } = useTranslation('programs');
  return (
    <Page title={t('title')} face="display" width="reading">
      {hasDeletions ? null : (
        <EmptyState
          sample="people"
          title={t('page.emptyTitle')}
          text={t(mayCreate ? 'page.emptyCreate' : 'page.emptyText')}
          actions={mayCreate ? <CreateButton /> : undefined}
        />
      )}
      {children}
    </Page>
  );
}

function Views({ view }: { view: View }) {
  const { t } = useTranslation('programs');
  const [, change] = useSearchState(readPlace);
  return (
    <Stack gap={16}>
      <Tabs
        label={t('title')}
        tabs={views.map((id) => ({ id, label: t(`page.view.${id}`) }))}
        value={view}
        onChange={(next) => change({ view: next === 'programs' ? null : next, search: null, page: null, size: null })}
        panelId={panelId}
      />
      <div role="tabpanel" id={panelId} aria-label={t(`page.view.${view}`)}>
        {view === 'programs' ? <ProgramFigures /> : <AllReviews />}
      </div>
    </Stack>
  );
}

function CreateButton() {
  const { t } = useTranslation('shell');
  const navigate = useNavigate();
  return (
    <Button kind="primary" icon="plus" onClick={() => navigate('/console?all=1&create=1')}>
      {t('switcher.create')}
    </Button>
  );
}
