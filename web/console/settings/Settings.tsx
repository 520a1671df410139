// The first screen of the settings: what can be set, by section, with one sentence each.
import { useTranslation } from 'react-i18next';
import { useText } from '../../locales/use-text.ts';
import { useProgram } from '../../session/program.ts';
import { Icon } from '../../ui/icons.tsx';
import { Card, RowList } from '../../ui/layout/card.tsx';
import { Link } from '../../ui/layout/link.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { Stack } from '../../ui/layout/stack.tsx';
import { type Screen as ScreenEntry, settingsGroups } from '../screens.ts';
import { useOpenSettings } from '../shell/use-screen-keys.ts';
import styles from './settings.module.css';

export function Screen() {
  const { t } = useTranslation('shell');
  const { name } = useProgram();
  const open = useOpenSettings();
  return (
    <Page title={t('settingsTitle')} lede={t('settingsLede', { name })} width="reading">
      <Stack gap={20}>
        {settingsGroups.map((group) => {
          const members = open.filter(({ settings }) => settings?.group === group);
          return members.length === 0 ? null : (
            <Card key={group} title={t(`settings.${group}`)} isFlush>
              <RowList>
                {members.map((screen) => (
                  <Entry key={screen.id} screen={screen} />
                ))}
              </RowList>
            </Card>
          );
        })}
      </Stack>
    </Page>
  );
}

function Entry({ screen: { path, title, settings } }: { screen: ScreenEntry }) {
  const text = useText();
  const { href } = useProgram();
  return (
    <li>
      <Link className={styles.entry} href={href(path)}>
        {settings ? <Icon name={settings.icon} size={20} /> : null}
        <span className={styles.text}>
          <span className={styles.title}>{text(title)}</span>
          {settings ? <span className={styles.description}>{text(settings.description)}</span> : null}
        </span>
        <Icon name="chevronRight" size={16} />
      </Link>
    </li>
  );
}
