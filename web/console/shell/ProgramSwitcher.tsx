import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Me, useMe } from '../../session/me.ts';
import { useProgram } from '../../session/program.ts';
import { roles } from '../../session/roles.gen.ts';
import { Icon } from '../../ui/icons.tsx';
import { Link } from '../../ui/layout/link.tsx';
import { Logo } from '../../ui/layout/logo.tsx';
import { ProgramMark } from '../../ui/marks/avatar.tsx';
import { Badge } from '../../ui/marks/tag.tsx';
import { Popover } from '../../ui/overlay/menu.tsx';
import styles from './shell.module.css';

/** Shows the current program and changes it. */
export function ProgramSwitcher() {
  const { t } = useTranslation('shell');
  const program = useProgram();
  const role = roles.find((each) => each === program.role);
  return (
    <Popover
      label={t('switcher.all')}
      width={300}
      target={({ isOpen, toggle }) => (
        <button type="button" className={styles.switcher} aria-expanded={isOpen} onClick={toggle}>
          <span className="visually-hidden">{t('switcher.label')} </span>
          {program.logoUrl === null ? <Logo size={28} /> : <ProgramMark name={program.name} logoUrl={program.logoUrl} size={28} />}
          <span className={styles.switcherText}>
            <bdi className={styles.programName}>{program.name}</bdi>
            <span className={styles.programDetail}>
              {role ? t(`role.${role}`) : null}
              {program.mode === 'test' ? <TestMark /> : null}
            </span>
          </span>
          <Icon name="switch" size={16} />
        </button>
      )}
    >
      {(close) => <ProgramList onChoose={close} />}
    </Popover>
  );
}

/** Test programs are marked wherever they are named. */
export function TestMark() {
  const { t } = useTranslation('shell');
  return (
    <span title={t('switcher.testMode')}>
      <Badge tone="test">{t('switcher.test')}</Badge>
    </span>
  );
}

function ProgramList({ onChoose }: { onChoose: () => void }) {
  const { t } = useTranslation('shell');
  const { data: me } = useMe();
  const current = useProgram();
  const [search, setSearch] = useState('');
  const programs = me?.programs ?? [];
  const found = programs.filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()));
  return (
    <div className={styles.programs}>
      {programs.length > 5 ? (
        <input
          type="search"
          className={styles.programSearch}
          aria-label={t('switcher.search')}
          placeholder={t('switcher.search')}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      ) : null}
      <ul className={styles.programList}>
        {found.map((program) => (
          <li key={program.id} onClickCapture={onChoose}>
            <Link className={styles.program} href={`/console/${program.id}`} aria-current={program.id === current.id || undefined}>
              <ProgramMark name={program.name} logoUrl={program.logoUrl} size={24} />
              <bdi className={styles.programName}>{program.name}</bdi>
              {program.mode === 'test' ? <TestMark /> : null}
              {program.id === current.id ? <Icon name="check" size={16} /> : null}
            </Link>
          </li>
        ))}
      </ul>
      {found.length === 0 ? <p className={styles.programNone}>{t('switcher.none', { search })}</p> : null}
      <Footer me={me} onChoose={onChoose} />
    </div>
  );
}

/** The list of all programs, and creating one, for those who may. */
function Footer({ me, onChoose }: { me: Me | undefined; onChoose: () => void }) {
  const { t } = useTranslation('shell');
  if (me === undefined) return null;
  const hasList = me.programs.length > 1 || me.programDeletions.length > 0;
  const mayCreate = me.programOrganizations.length > 0;
  if (!hasList && !mayCreate) return null;
  return (
    <div className={styles.programAll} onClickCapture={onChoose}>
      {hasList ? <Link href="/console?all=1">{t('switcher.all')}</Link> : null}
      {mayCreate ? (
        <Link href="/console?all=1&create=1">
          <Icon name="plus" size={16} />
          {t('switcher.create')}
        </Link>
      ) : null}
    </div>
  );
}
