// What the server finds: affiliates, orders and products by name, email, code, order, SKU or id.
import { useRead } from '../../api/queries.ts';
import { useProgram } from '../../session/program.ts';
import { useFigures } from '../../ui/figures/context.ts';
import { formatMoney } from '../../ui/figures/format.ts';
import { useSettled } from '../../ui/form/use-settled.ts';
import { useNavigate } from '../../ui/layout/link.tsx';
import type { Entry } from './entries.ts';

const minLength = 2;
const pauseMs = 150;

/** Searches while the user types. */
export function useFound(search: string): { entries: Entry[]; isSearching: boolean; hasFailed: boolean } {
  const { id: programId, currency, href } = useProgram();
  const { language } = useFigures();
  const navigate = useNavigate();
  const wanted = useSettled(search.trim(), pauseMs);
  const isEnabled = wanted.length >= minLength;
  const read = useRead('search', { path: { programId }, query: { q: wanted } }, { enabled: isEnabled, staleMs: 30_000 });
  const found = isEnabled ? read.data : undefined;
  const open = (path: string) => () => navigate(href(path));
  return {
    isSearching: search.trim() !== wanted || (isEnabled && read.isPending),
    hasFailed: isEnabled && read.isError,
    entries: [
      ...(found?.affiliates ?? []).map(
        ({ id, name, email, referralCode }): Entry => ({
          id: `affiliate:${id}`,
          group: 'affiliates',
          label: name,
          detail: `${email} · ${referralCode}`,
          icon: 'affiliates',
          run: open(`affiliates/${id}`),
        }),
      ),
      ...(found?.conversions ?? []).map(
        ({ id, orderId, affiliateName, amountCents }): Entry => ({
          id: `conversion:${id}`,
          group: 'orders',
          label: orderId,
          detail: `${formatMoney(amountCents, found?.currency ?? currency, language)} · ${affiliateName}`,
          icon: 'conversions',
          run: open(`conversions/${id}`),
        }),
      ),
      ...(found?.products ?? []).map(
        ({ id, name, sku }): Entry => ({
          id: `product:${id}`,
          group: 'products',
          label: name,
          detail: sku ?? undefined,
          icon: 'products',
          run: open(`products?product=${id}`),
        }),
      ),
      ...(found?.coupons ?? []).map(
        ({ id, code, affiliateName }): Entry => ({
          id: `coupon:${id}`,
          group: 'coupons',
          label: code,
          detail: affiliateName,
          icon: 'coupons',
          run: open(`coupons?coupon=${id}`),
        }),
      ),
    ],
  };
}
