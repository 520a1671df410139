// The look of the page: three templates, each shown with the affiliate's own words, and six colors.
import { useTranslation } from 'react-i18next';
import { Card } from '../../../ui/layout/card.tsx';
import { Stack } from '../../../ui/layout/stack.tsx';
import type { Content } from '../draft-state.ts';
import { useEditor } from '../editor-context.ts';
import { ChangeNote } from './FieldHelp.tsx';
import styles from './fields.module.css';

export function DesignSection() {
  const { t } = useTranslation('portal-page');
  const { page, content, change } = useEditor();
  return (
    <Card title={t('design.title')}>
      <Stack gap={20}>
        <fieldset className={styles.choices}>
          <legend className={styles.legend}>{t('design.template')}</legend>
          <div className={styles.templates}>
            {page.templates.map((templateId) => (
              <label key={templateId} className={styles.template}>
                <input
                  type="radio"
                  name="templateId"
                  className="visually-hidden"
                  value={templateId}
                  checked={content.templateId === templateId}
                  onChange={() => change({ templateId })}
                />
                <TemplatePicture content={content} templateId={templateId} name={page.affiliateName} />
                <span className={styles.templateName}>{t(`design.${templateId}`)}</span>
                <span className={styles.templateText}>{t(`design.${templateId}Text`)}</span>
              </label>
            ))}
          </div>
          <ChangeNote name="templateId" />
        </fieldset>
        <Accents />
      </Stack>
    </Card>
  );
}

function Accents() {
  const { t } = useTranslation('portal-page');
  const { page, content, change } = useEditor();
  return (
    <fieldset className={styles.choices}>
      <legend className={styles.legend}>{t('design.accent')}</legend>
      <div className={styles.accents}>
        {page.accents.map((accent) => (
          <label key={accent} className={styles.accent} data-accent={accent} title={t(`accent.${accent}`)}>
            <input
              type="radio"
              name="accent"
              className="visually-hidden"
              value={accent}
              checked={content.accent === accent}
              onChange={() => change({ accent })}
            />
            <span className={styles.swatch} aria-hidden />
            <span className={styles.accentName}>{t(`accent.${accent}`)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

type PictureProps = { content: Content; templateId: Content['templateId']; name: string };

/** A small picture of the template. */
function TemplatePicture({ content, templateId, name }: PictureProps) {
  return (
    <span className={styles.picture} data-template={templateId} data-accent={content.accent} aria-hidden>
      <span className={styles.pictureHero}>{content.heroImageUrl === null ? null : <img src={small(content.heroImageUrl)} alt="" />}</span>
      <span className={styles.pictureAvatar}>{content.avatarUrl === null ? null : <img src={small(content.avatarUrl)} alt="" />}</span>
      <span className={styles.pictureTitle}>{content.pageTitle || name}</span>
      <span className={styles.pictureLines}>
        <span />
        <span />
      </span>
    </span>
  );
}

/** A small variant of an uploaded image; other images as they are. */
export function small(url: string, width: 256 | 512 = 256): string {
  const [path] = /\/media\/[0-9a-f-]{36}$/.exec(url) ?? [];
  return path === undefined ? url : `${path}?w=${width}`;
}
