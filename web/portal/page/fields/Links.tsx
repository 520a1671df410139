// The affiliate's own links, such as profiles and a newsletter.
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../../../ui/controls/button.tsx';
import { TextInput } from '../../../ui/form/fields.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Stack, Text } from '../../../ui/layout/stack.tsx';
import { move, type PageLink } from '../draft-state.ts';
import { useEditor } from '../editor-context.ts';
import { ChangeNote, RestrictedNote } from './FieldHelp.tsx';
import styles from './fields.module.css';

const maxLinks = 8;

export function LinksSection() {
  const { t } = useTranslation('portal-page');
  const { content, change, errors } = useEditor();
  const { links } = content;
  return (
    <Card title={t('link.title')}>
      <Stack gap={16}>
        <Text size="small">{t('link.text')}</Text>
        <ChangeNote name="links" />
        {errors.links === undefined ? null : (
          <span className={styles.problem} role="alert" data-field="links">
            {t('link.problem')}
          </span>
        )}
        {links.length === 0 ? null : (
          <ol className={styles.products}>
            {links.map((link, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: links have no id, and fields must keep the focus.
              <LinkFields key={index} link={link} index={index} />
            ))}
          </ol>
        )}
        {links.length < maxLinks ? (
          <div>
            <Button icon="plus" onClick={() => change({ links: [...links, { label: '', url: '' }] })}>
              {t('link.add')}
            </Button>
          </div>
        ) : null}
      </Stack>
    </Card>
  );
}

function LinkFields({ link, index }: { link: PageLink; index: number }) {
  const { t } = useTranslation('portal-page');
  const { content, change } = useEditor();
  const { links } = content;
  const number = index + 1;
  const update = (changed: Partial<PageLink>) =>
    change({ links: links.map((other, position) => (position === index ? { ...other, ...changed } : other)) });
  const complete = () => {
    const url = link.url.trim();
    if (url !== '' && !/^[a-z]+:/i.test(url)) update({ url: `https://${url}` });
  };
  return (
    <li className={styles.product}>
      <div className={styles.linkHead}>
        <span className={styles.legend}>{t('link.number', { number })}</span>
        <div className={styles.productButtons}>
          <IconButton
            icon="arrowUp"
            label={t('link.up', { number })}
            disabled={index === 0}
            onClick={() => change({ links: move(links, index, index - 1) })}
          />
          <IconButton
            icon="arrowDown"
            label={t('link.down', { number })}
            disabled={index === links.length - 1}
            onClick={() => change({ links: move(links, index, index + 1) })}
          />
          <IconButton
            icon="trash"
            label={t('link.remove', { number })}
            onClick={() => change({ links: links.filter((_, position) => position !== index) })}
          />
        </div>
      </div>
      <TextInput
        label={t('link.label')}
        value={link.label}
        maxLength={40}
        onChange={(label) => update({ label })}
        help={<RestrictedNote text={link.label} />}
      />
      <TextInput
        label={t('link.url')}
        type="url"
        inputMode="url"
        placeholder="https://"
        value={link.url}
        maxLength={2048}
        onChange={(url) => update({ url })}
        onBlur={complete}
      />
    </li>
  );
}
