// Who: initials in a circle, and the name with a second line.
import type { ReactNode } from 'react';
import { isolated } from '../layout/isolated.tsx';
import { hueOf, initialsOf } from './initials.ts';
import styles from './marks.module.css';

/** Initials of a name. Decorative: the name is always written next to it. */
export function Avatar({ name, size = 32 }: { name: string; size?: number }) {
  const side = `var(--avatar, ${size}px)`;
  const style = { width: side, height: side, fontSize: Math.max(10, Math.round(size * 0.38)), lineHeight: 1 };
  return (
    <bdi className={styles.avatar} data-hue={hueOf(name)} style={style} aria-hidden>
      {initialsOf(name)}
    </bdi>
  );
}

/** The logo of a program, or its initials. Decorative, like an avatar. */
export function ProgramMark({ name, logoUrl, size = 28 }: { name: string; logoUrl: string | null; size?: number }) {
  if (logoUrl === null) return <Avatar name={name} size={size} />;
  return <img className={styles.programMark} src={logoUrl} width={size} height={size} alt="" referrerPolicy="no-referrer" />;
}

type IdentityProps = {
  name: string;
  /** The line below, usually the email address. */
  detail?: ReactNode;
  hasAvatar?: boolean;
  size?: number;
};

/** A name with its second line. */
export function Identity({ name, detail, hasAvatar = true, size = 32 }: IdentityProps) {
  return (
    <span className={styles.identity}>
      {hasAvatar ? <Avatar name={name} size={size} /> : null}
      <span className={styles.identityText}>
        <span className={styles.identityName}>
          <bdi>{name}</bdi>
        </span>
        {detail === undefined ? null : <span className={styles.identityDetail}>{isolated(detail)}</span>}
      </span>
    </span>
  );
}
