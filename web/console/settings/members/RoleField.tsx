// Chooses a role; what it permits is described next to each. Only owners can choose owner.
import { useTranslation } from 'react-i18next';
import { useProgram } from '../../../session/program.ts';
import { roles } from '../../../session/roles.gen.ts';
import { Select } from '../../../ui/form/select.tsx';

export type Role = (typeof roles)[number];

type Props = { name: string; value: Role; onChange: (role: Role) => void; error?: string | undefined };

export function RoleField({ name, value, onChange, error }: Props) {
  const { t } = useTranslation(['members', 'shell']);
  const { can } = useProgram();
  const options = roles.map((role) => ({
    value: role,
    label: t(`shell:role.${role}`),
    detail: t(`describe.${role}`),
    isDisabled: role === 'owner' && !can('owners.write'),
  }));
  return (
    <Select
      name={name}
      label={t('role')}
      options={options}
      value={value}
      onChange={(role) => onChange(role ?? value)}
      error={error}
      help={t(`describe.${value}`)}
    />
  );
}
